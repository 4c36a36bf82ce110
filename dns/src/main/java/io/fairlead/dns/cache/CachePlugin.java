package io.fairlead.dns.cache;

import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.ReplyValidity;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordType;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Answers from what was asked before.
///
/// How it works: a lookup first tries denials, then answers; a kept failure gives way to an answer.
/// What is found and fresh is returned with the time it has left. What is past its time is returned
/// only with `serve_stale`. Anything else is asked of the rest of the chain and kept.
final class CachePlugin implements ChainPlugin {
  private static final long SECOND = 1_000_000_000L;

  private final CacheOptions options;
  private final BlockContext context;
  private final SharedResources.Handle<CacheStores> stores;
  private final CacheMetrics metrics;
  private final Refresher refresher = new Refresher();

  CachePlugin(CacheOptions options, BlockContext context) {
    this.options = options;
    this.context = context;
    String key = "cache " + context.block().keys() + " " + options;
    this.stores =
        context.instance().shared().take(key, CacheStores.class, () -> new CacheStores(options));
    String zones =
        options.zones().names().stream().map(Name::toString).collect(Collectors.joining(","));
    this.metrics = CacheMetrics.of(context.instance().metrics(), zones);
  }

  @Override
  public String name() {
    return "cache";
  }

  @Override
  public List<? extends Record> options() {
    return List.of(options);
  }

  @Override
  public boolean passesOwnData(Name zone) {
    return true;
  }

  @Override
  public void stop() {
    stores.close();
  }

  @Override
  public boolean treatsClientsAlike() {
    return true;
  }

  @Override
  public boolean mayBlock() {
    return false;
  }

  @Override
  public DnsAnswer handle(Query query, Handler next) {
    int type = query.type();
    boolean transfer = type == RecordType.AXFR || type == RecordType.IXFR;
    if (transfer || !options.zones().contain(query.name())) {
      return next.handle(query);
    }
    String server = query.origin().server();
    long now = context.instance().ticker().nanos();
    CacheKey key = CacheKey.of(query);
    Found found = find(key, now);
    if (found == null) {
      DnsAnswer answer = ask(key, query, next);
      if (answer instanceof DnsAnswer.WouldBlock) {
        return answer;
      }
      metrics.count(metrics.requests(), server);
      metrics.count(metrics.misses(), server);
      return missed(answer, server);
    }
    if (options.stale().verify() && !query.mayBlock() && found.entry().left(now) <= 0) {
      return new DnsAnswer.WouldBlock();
    }
    metrics.count(metrics.requests(), server);
    metrics.count(metrics.hits(), server, found.kind(), 1);
    int hits = found.entry().hit(now, options.prefetch().gap());
    if (found.entry().left(now) > 0) {
      prefetch(key, found.entry(), hits, query, next, now);
      return served(found, query, now);
    }
    return stale(key, found.entry(), query, next, now);
  }

  private record Found(CacheEntry entry, Cacheability kind) {}

  private @Nullable Found find(CacheKey key, long now) {
    CacheEntry denial = usable(stores.get().denial().get(key), now);
    CacheEntry success = usable(stores.get().success().get(key), now);
    boolean failure = denial != null && isFailure(denial);
    if (denial != null && success != null) {
      boolean freshSuccess = success.left(now) > 0;
      boolean staleDenial = denial.left(now) <= 0;
      if (failure || options.stale().preferPositive() || (freshSuccess && staleDenial)) {
        return new Found(success, Cacheability.SUCCESS);
      }
    }
    if (denial != null) {
      return new Found(denial, Cacheability.DENIAL);
    }
    return success == null ? null : new Found(success, Cacheability.SUCCESS);
  }

  private @Nullable CacheEntry usable(@Nullable CacheEntry entry, long now) {
    if (entry == null || entry.left(now) > 0) {
      return entry;
    }
    // A failure past its time is of no use.
    boolean good = options.stale().on() && !isFailure(entry);
    return good && -entry.left(now) < options.stale().window().toNanos() ? entry : null;
  }

  private static boolean isFailure(CacheEntry entry) {
    int rcode = entry.reply().rcode();
    return rcode != Rcode.NOERROR && rcode != Rcode.NXDOMAIN;
  }

  private void prefetch(
      CacheKey key, CacheEntry entry, int hits, Query query, Handler next, long now) {
    CacheOptions.Prefetch prefetch = options.prefetch();
    if (prefetch.amount() == 0 || hits < prefetch.amount()) {
      return;
    }
    long threshold = Math.max(SECOND, entry.lifetime() / 100 * prefetch.percentage());
    if (entry.left(now) <= threshold && entry.claim()) {
      metrics.count(metrics.prefetch(), query.origin().server());
      renew(key, entry, query, next);
    }
  }

  /// Asks again beside the query; the entry's claim is given back if that brings nothing.
  private void renew(CacheKey key, CacheEntry entry, Query query, Handler next) {
    boolean started =
        refresher.run(
            () -> {
              try {
                ask(key, query.withMayBlock(true), next);
              } finally {
                entry.release();
              }
            });
    if (!started) {
      entry.release();
    }
  }

  private DnsAnswer stale(CacheKey key, CacheEntry entry, Query query, Handler next, long now) {
    CacheOptions.Stale stale = options.stale();
    boolean due = entry.mayCheck(now, stale.recheck());
    if (stale.verify() && due) {
      DnsAnswer newer = refresher.within(stale.timeout(), () -> ask(key, query, next));
      boolean failed =
          newer == null
              || (newer instanceof Reply reply
                  && reply.rcode() != Rcode.NOERROR
                  && reply.rcode() != Rcode.NXDOMAIN);
      if (newer != null && !failed) {
        return newer;
      }
    } else if (due && entry.claim()) {
      renew(key, entry, query, next);
    }
    metrics.count(metrics.stale(), query.origin().server());
    Reply old = entry.reply();
    boolean denied = old.rcode() == Rcode.NXDOMAIN;
    int info = denied ? EdnsOption.ERROR_STALE_NXDOMAIN : EdnsOption.ERROR_STALE_ANSWER;
    return shown(old, query, stale.ttl()).withOptions(List.of(EdnsOption.error(info, "")));
  }

  /// Asks the rest of the chain and keeps what may be kept.
  private DnsAnswer ask(CacheKey key, Query query, Handler next) {
    DnsAnswer answer = next.handle(query);
    if (!(answer instanceof Reply reply)) {
      return answer;
    }
    Cacheability verdict = Cacheability.of(query, reply);
    if (verdict == Cacheability.NEVER) {
      return reply;
    }
    Duration lifetime = lifetime(verdict, reply);
    Reply capped = verdict == Cacheability.FAILURE ? reply : withTtl(reply, seconds(lifetime));
    CacheOptions.Limits kind =
        verdict == Cacheability.SUCCESS ? options.success() : options.denial();
    if (lifetime.isPositive() && !kind.disabled().contain(query.name())) {
      keep(key, verdict, capped, lifetime, query.origin().server());
    }
    return kind.disabled().contain(query.name()) ? reply : capped.withValidity(null);
  }

  private Duration lifetime(Cacheability verdict, Reply reply) {
    if (verdict == Cacheability.FAILURE) {
      return options.servfail();
    }
    CacheOptions.Limits kind =
        verdict == Cacheability.SUCCESS ? options.success() : options.denial();
    Duration ttl = Duration.ofSeconds(Cacheability.ttl(verdict, reply));
    Duration atLeast = ttl.compareTo(kind.least()) < 0 ? kind.least() : ttl;
    return atLeast.compareTo(kind.most()) > 0 ? kind.most() : atLeast;
  }

  private void keep(
      CacheKey key, Cacheability verdict, Reply reply, Duration lifetime, String server) {
    long now = context.instance().ticker().nanos();
    CacheEntry entry =
        new CacheEntry(reply.withOptions(List.of()).withValidity(null), now, lifetime);
    CacheStore store =
        verdict == Cacheability.SUCCESS ? stores.get().success() : stores.get().denial();
    int evicted = store.put(key, entry);
    if (verdict == Cacheability.SUCCESS) {
      stores.get().denial().remove(key);
    } else if (verdict == Cacheability.DENIAL && !options.stale().preferPositive()) {
      stores.get().success().remove(key);
    }
    if (evicted > 0) {
      metrics.count(metrics.evictions(), server, verdict, evicted);
    }
    metrics.size(server, verdict, store.size());
  }

  private Reply served(Found found, Query query, long now) {
    CacheEntry entry = found.entry();
    long left = options.keepTtl() ? entry.lifetime() : entry.left(now);
    int ttl = (int) ((left + SECOND - 1) / SECOND);
    long sameTtl = options.keepTtl() ? entry.left(now) : left - (ttl - 1) * SECOND;
    long repeatedFor = Math.min(sameTtl, SECOND);
    return shown(entry.reply(), query, ttl)
        .withValidity(repeatedHit(found, query.origin().server(), now + repeatedFor));
  }

  /// A hit is the same until the second in which its time to live is one less, and for no longer
  /// than a second where that stays; then this plugin is asked again, so a popular entry is renewed
  /// in time.
  private ReplyValidity repeatedHit(Found found, String server, long end) {
    CounterDataPoint requests = metrics.point(metrics.requests(), server);
    CounterDataPoint hits = metrics.point(metrics.hits(), server, found.kind());
    return new ReplyValidity() {
      @Override
      public boolean holds(long nanos) {
        return nanos - end < 0;
      }

      @Override
      public void repeated(long nanos) {
        requests.inc();
        hits.inc();
        found.entry().hit(nanos, options.prefetch().gap());
      }
    };
  }

  /// What is not kept here counts as a miss each time.
  private DnsAnswer missed(DnsAnswer answer, String server) {
    CounterDataPoint requests = metrics.point(metrics.requests(), server);
    CounterDataPoint misses = metrics.point(metrics.misses(), server);
    return Reply.limited(
        answer,
        new ReplyValidity() {
          @Override
          public boolean holds(long nanos) {
            return true;
          }

          @Override
          public void repeated(long nanos) {
            requests.inc();
            misses.inc();
          }
        });
  }

  /// The kept reply for this query: in its spelling, with that time to live.
  private static Reply shown(Reply reply, Query query, int ttl) {
    boolean wantsAd = query.dnssecOk() || query.request().header().is(Header.AD);
    int flags = wantsAd ? reply.flags() : reply.flags() & ~Header.AD;
    Name asked = query.name();
    return reply
        .map(each -> (each.owner().equals(asked) ? each.withOwner(asked) : each).withTtl(ttl))
        .withFlags(flags);
  }

  private static Reply withTtl(Reply reply, int seconds) {
    return reply.map(each -> each.withTtl(seconds));
  }

  private static int seconds(Duration time) {
    return (int) Math.min(Integer.MAX_VALUE, time.toSeconds());
  }
}
