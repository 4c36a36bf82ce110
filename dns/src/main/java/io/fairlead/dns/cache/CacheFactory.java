package io.fairlead.dns.cache;

import io.fairlead.dns.corefile.Settings;
import io.fairlead.dns.corefile.Zones;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.time.Duration;
import java.util.List;

/// Reads the lines of `cache`.
public final class CacheFactory implements PluginFactory {
  private static final int CAPACITY = 9984;
  private static final int LEAST_CAPACITY = 1024;
  private static final int CAPACITY_STEP = 256;
  private static final int MOST_CAPACITY = 10_000_000;
  private static final int MOST_TTL = Integer.MAX_VALUE / 2;
  private static final Duration MOST_SERVFAIL = Duration.ofMinutes(5);
  private static final Duration FLOOR = Duration.ofSeconds(5);

  @Override
  public String name() {
    return "cache";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    return new Cache(read(Settings.only(lines), context), context);
  }

  static CacheOptions read(Directive line, BlockContext context) throws SetupException {
    List<String> words = line.arguments();
    Duration successTtl = Duration.ofSeconds(3600);
    Duration denialTtl = Duration.ofSeconds(1800);
    if (!words.isEmpty() && words.getFirst().chars().allMatch(c -> c >= '0' && c <= '9')) {
      successTtl = Duration.ofSeconds(Settings.integer(line, words.getFirst(), 1, MOST_TTL));
      denialTtl = successTtl;
      words = words.subList(1, words.size());
    }
    Zones none = new Zones(List.of());
    CacheOptions.Kind success = new CacheOptions.Kind(CAPACITY, successTtl, FLOOR, none);
    CacheOptions.Kind denial = new CacheOptions.Kind(CAPACITY, denialTtl, FLOOR, none);
    CacheOptions.Prefetch prefetch = new CacheOptions.Prefetch(0, Duration.ofMinutes(1), 10);
    CacheOptions.Stale stale =
        new CacheOptions.Stale(Duration.ZERO, false, Duration.ZERO, 0, Duration.ZERO, false);
    Duration servfail = FLOOR;
    boolean preferPositive = false;
    boolean keepTtl = false;
    for (Directive option : line.block()) {
      switch (option.name()) {
        case "success" -> success = kind(option, success);
        case "denial" -> denial = kind(option, denial);
        case "prefetch" -> prefetch = prefetch(option);
        case "serve_stale" -> stale = StaleReader.read(option);
        case "servfail" -> servfail = servfail(option);
        case "keepttl" -> {
          Settings.bare(option);
          keepTtl = true;
        }
        case "serve_stale_policy" -> {
          if (!option.arguments().equals(List.of("prefer_positive"))) {
            throw option.problem("the only serve_stale_policy is prefer_positive");
          }
          preferPositive = true;
        }
        case "disable" -> {
          Settings.count(option, 1, 1000, "disable success|denial [ZONES...]");
          List<String> zones = option.arguments().subList(1, option.arguments().size());
          Zones disabled = Settings.zones(option, zones, context.block());
          switch (option.arguments().getFirst()) {
            case "success" -> success = disable(success, disabled);
            case "denial" -> denial = disable(denial, disabled);
            default ->
                throw option.problem(
                    "disable takes success or denial, not '" + option.arguments().getFirst() + "'");
          }
        }
        default ->
            throw Settings.unknown(
                line,
                option,
                "success",
                "denial",
                "prefetch",
                "serve_stale",
                "serve_stale_policy",
                "servfail",
                "disable",
                "keepttl");
      }
    }
    if (preferPositive) {
      stale =
          new CacheOptions.Stale(
              stale.window(), stale.verify(), stale.timeout(), stale.ttl(), stale.recheck(), true);
    }
    Zones zones = Settings.zones(line, words, context.block());
    return new CacheOptions(zones, success, denial, servfail, prefetch, stale, keepTtl);
  }

  private static CacheOptions.Kind disable(CacheOptions.Kind kind, Zones zones) {
    return new CacheOptions.Kind(kind.capacity(), kind.most(), kind.least(), zones);
  }

  private static CacheOptions.Kind kind(Directive option, CacheOptions.Kind kind)
      throws SetupException {
    Settings.count(option, 1, 3, option.name() + " CAPACITY [TTL [MINTTL]]");
    List<String> words = option.arguments();
    int asked = Settings.integer(option, words.getFirst(), 1, MOST_CAPACITY);
    int capacity = Math.max(LEAST_CAPACITY, asked / CAPACITY_STEP * CAPACITY_STEP);
    Duration most = kind.most();
    Duration least = kind.least();
    if (words.size() > 1) {
      most = Duration.ofSeconds(Settings.integer(option, words.get(1), 1, MOST_TTL));
    }
    if (words.size() > 2) {
      least = Duration.ofSeconds(Settings.integer(option, words.get(2), 0, MOST_TTL));
    }
    return new CacheOptions.Kind(capacity, most, least, kind.disabled());
  }

  private static CacheOptions.Prefetch prefetch(Directive option) throws SetupException {
    Settings.count(option, 1, 3, "prefetch AMOUNT [DURATION [PERCENTAGE%]]");
    List<String> words = option.arguments();
    int amount = Settings.integer(option, words.getFirst(), 0, Integer.MAX_VALUE);
    Duration gap = words.size() > 1 ? Settings.duration(option, words.get(1)) : null;
    int percentage = 10;
    if (words.size() > 2) {
      String text = words.get(2);
      if (!text.endsWith("%")) {
        throw option.problem("the percentage of prefetch needs its sign: " + text + "%");
      }
      percentage = Settings.integer(option, text.substring(0, text.length() - 1), 10, 90);
    }
    return new CacheOptions.Prefetch(amount, gap == null ? Duration.ofMinutes(1) : gap, percentage);
  }

  private static Duration servfail(Directive option) throws SetupException {
    Settings.count(option, 1, 1, "servfail DURATION");
    Duration time = Settings.duration(option, option.arguments().getFirst());
    if (time.compareTo(MOST_SERVFAIL) > 0) {
      throw option.problem("servfail may not be kept for more than 5 minutes");
    }
    return time;
  }
}
