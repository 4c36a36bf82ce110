package io.fairlead.dns.cache;

import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.corefile.DnsZones;
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
    return new CachePlugin(read(DirectiveReader.only(lines), context), context);
  }

  static CacheOptions read(Directive line, BlockContext context) throws SetupException {
    List<String> words = line.arguments();
    Duration successTtl = Duration.ofSeconds(3600);
    Duration denialTtl = Duration.ofSeconds(1800);
    if (!words.isEmpty() && words.getFirst().chars().allMatch(c -> c >= '0' && c <= '9')) {
      successTtl = Duration.ofSeconds(DirectiveReader.integer(line, words.getFirst(), 1, MOST_TTL));
      denialTtl = successTtl;
      words = words.subList(1, words.size());
    }
    DnsZones none = new DnsZones(List.of());
    CacheOptions.Limits success = new CacheOptions.Limits(CAPACITY, successTtl, FLOOR, none);
    CacheOptions.Limits denial = new CacheOptions.Limits(CAPACITY, denialTtl, FLOOR, none);
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
        case "serve_stale" -> stale = ServeStaleReader.read(option);
        case "servfail" -> servfail = servfail(option);
        case "keepttl" -> {
          DirectiveReader.bare(option);
          keepTtl = true;
        }
        case "serve_stale_policy" -> {
          if (!option.arguments().equals(List.of("prefer_positive"))) {
            throw option.problem("the only serve_stale_policy is prefer_positive");
          }
          preferPositive = true;
        }
        case "disable" -> {
          DirectiveReader.count(option, 1, 1000, "disable success|denial [ZONES...]");
          List<String> zones = option.arguments().subList(1, option.arguments().size());
          DnsZones disabled = DirectiveReader.zones(option, zones, context.block());
          switch (option.arguments().getFirst()) {
            case "success" -> success = disable(success, disabled);
            case "denial" -> denial = disable(denial, disabled);
            default ->
                throw option.problem(
                    "disable takes success or denial, not '" + option.arguments().getFirst() + "'");
          }
        }
        default ->
            throw DirectiveReader.unknown(
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
    DnsZones zones = DirectiveReader.zones(line, words, context.block());
    return new CacheOptions(zones, success, denial, servfail, prefetch, stale, keepTtl);
  }

  private static CacheOptions.Limits disable(CacheOptions.Limits kind, DnsZones zones) {
    return new CacheOptions.Limits(kind.capacity(), kind.most(), kind.least(), zones);
  }

  private static CacheOptions.Limits kind(Directive option, CacheOptions.Limits kind)
      throws SetupException {
    DirectiveReader.count(option, 1, 3, option.name() + " CAPACITY [TTL [MINTTL]]");
    List<String> words = option.arguments();
    int asked = DirectiveReader.integer(option, words.getFirst(), 1, MOST_CAPACITY);
    int capacity = Math.max(LEAST_CAPACITY, asked / CAPACITY_STEP * CAPACITY_STEP);
    Duration most = kind.most();
    Duration least = kind.least();
    if (words.size() > 1) {
      most = Duration.ofSeconds(DirectiveReader.integer(option, words.get(1), 1, MOST_TTL));
    }
    if (words.size() > 2) {
      least = Duration.ofSeconds(DirectiveReader.integer(option, words.get(2), 0, MOST_TTL));
    }
    return new CacheOptions.Limits(capacity, most, least, kind.disabled());
  }

  private static CacheOptions.Prefetch prefetch(Directive option) throws SetupException {
    DirectiveReader.count(option, 1, 3, "prefetch AMOUNT [DURATION [PERCENTAGE%]]");
    List<String> words = option.arguments();
    int amount = DirectiveReader.integer(option, words.getFirst(), 0, Integer.MAX_VALUE);
    Duration gap = words.size() > 1 ? DirectiveReader.duration(option, words.get(1)) : null;
    int percentage = 10;
    if (words.size() > 2) {
      String text = words.get(2);
      if (!text.endsWith("%")) {
        throw option.problem("the percentage of prefetch needs its sign: " + text + "%");
      }
      percentage = DirectiveReader.integer(option, text.substring(0, text.length() - 1), 10, 90);
    }
    return new CacheOptions.Prefetch(amount, gap == null ? Duration.ofMinutes(1) : gap, percentage);
  }

  private static Duration servfail(Directive option) throws SetupException {
    DirectiveReader.count(option, 1, 1, "servfail DURATION");
    Duration time = DirectiveReader.duration(option, option.arguments().getFirst());
    if (time.compareTo(MOST_SERVFAIL) > 0) {
      throw option.problem("servfail may not be kept for more than 5 minutes");
    }
    return time;
  }
}
