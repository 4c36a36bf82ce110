package io.fairlead.dns.forward;

import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.prometheus.metrics.core.metrics.Counter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// One `forward` line at work.
final class Forwarder implements AutoCloseable {
  /// For one query, all tries together.
  private static final Duration TOTAL = Duration.ofSeconds(5);

  private record Flight(
      Name name,
      int type,
      int recordClass,
      int flags,
      boolean stream,
      boolean extended,
      boolean dnssecOk,
      List<EdnsOption> options) {}

  private final ForwardOptions options;
  private final InstanceContext instance;
  private final UpstreamExchange exchange;
  private final Upstreams upstreams;
  private final SingleFlight<Flight, Reply> flights = new SingleFlight<>();
  private final AtomicInteger concurrent = new AtomicInteger();
  private final AtomicInteger turn = new AtomicInteger();
  private final Counter rejects;
  private final Counter broken;
  private final Counter hedges;

  Forwarder(ForwardOptions options, InstanceContext instance, UpstreamExchange exchange) {
    this.options = options;
    this.instance = instance;
    this.exchange = exchange;
    this.upstreams = new Upstreams(options, instance, exchange);
    this.hedges = hedges(instance);
    this.rejects =
        instance
            .metrics()
            .counter(
                "coredns_forward_max_concurrent_rejects_total",
                "Counter of the number of queries rejected because the concurrent queries were"
                    + " at maximum.");
    this.broken =
        instance
            .metrics()
            .counter(
                "coredns_forward_healthcheck_broken_total",
                "Counter of the number of complete failures of the healthchecks.");
  }

  private static Counter hedges(InstanceContext instance) {
    return instance
        .metrics()
        .counter(
            "fairlead_dns_forward_hedges_total",
            "Questions put to a second upstream because the first took unusually long.");
  }

  ForwardOptions options() {
    return options;
  }

  void start() {
    upstreams.resolve();
  }

  boolean matches(Name name) {
    return options.from().contain(name) && !options.except().contain(name);
  }

  /// Whether the next line should be asked instead.
  boolean passesOn(Reply reply) {
    boolean nodata =
        options.nextOnNodata() && reply.rcode() == Rcode.NOERROR && reply.answer().isEmpty();
    return nodata || options.next().contains(reply.rcode());
  }

  Reply forward(Query query) {
    int limit = options.maxConcurrent();
    try {
      if (concurrent.incrementAndGet() > limit && limit > 0) {
        rejects.inc();
        return Reply.failed(
            "forward", Rcode.REFUSED, "concurrent queries exceeded maximum " + limit);
      }
      boolean stream = stream(query);
      Edns edns = query.edns();
      Flight flight =
          new Flight(
              query.name(),
              query.type(),
              query.question().recordClass(),
              query.request().header().flags(),
              stream,
              edns != null,
              query.dnssecOk(),
              edns == null ? List.of() : edns.options());
      Reply reply = flights.run(flight, TOTAL, () -> ask(query, stream));
      return reply == null ? unreachable("no answer in time") : spelled(reply, query.name());
    } finally {
      concurrent.decrementAndGet();
    }
  }

  private static Reply spelled(Reply reply, Name asked) {
    return reply.map(each -> each.owner().equals(asked) ? each.withOwner(asked) : each);
  }

  private boolean stream(Query query) {
    boolean udp = query.origin().transport() == QueryTransport.UDP;
    return options.forceTcp() || (!udp && !options.preferUdp());
  }

  /// Tries upstreams in turn until one answers or the time is over. At least one try is real.
  private Reply ask(Query query, boolean stream) {
    List<Upstream> all = upstreams.current();
    if (all.isEmpty()) {
      return unreachable("no upstream is known");
    }
    long end = instance.ticker().nanos() + TOTAL.toNanos();
    int most = options.attempts() == 0 ? 2 * all.size() : options.attempts();
    List<Upstream> order = options.policy().order(all, turn, instance.random());
    String why = "no healthy proxies";
    Reply last = null;
    int down = 0;
    for (int at = 0, tries = 0; tries < most && instance.ticker().nanos() < end; at++) {
      Upstream upstream = order.get(at % order.size());
      if (upstream.down()) {
        if (++down < order.size()) {
          continue;
        }
        if (options.failFast()) {
          break;
        }
        broken.inc();
        upstream = order.get(instance.random().nextInt(order.size()));
      }
      down = 0;
      tries++;
      try {
        last = hedged(upstream, order, query, stream);
        boolean failover = options.failover().contains(last.rcode());
        if (!failover || tries >= order.size()) {
          return last;
        }
      } catch (IOException e) {
        why = upstream.target() + ": " + e.getMessage();
      }
    }
    return last == null ? unreachable(why) : last;
  }

  /// Asks a server, and another one as well when the first takes longer than it nearly always does.
  private Reply hedged(Upstream upstream, List<Upstream> order, Query query, boolean stream)
      throws IOException {
    Optional<Upstream> second =
        order.stream().filter(each -> !each.equals(upstream) && !each.down()).findFirst();
    Optional<Duration> usual = upstream.usual();
    if (second.isEmpty() || usual.isEmpty()) {
      return attempt(upstream, query, stream);
    }
    return HedgedRequest.first(
        () -> attempt(upstream, query, stream),
        usual.get(),
        () -> {
          hedges.inc();
          return attempt(second.get(), query, stream);
        });
  }

  private Reply attempt(Upstream upstream, Query query, boolean stream) throws IOException {
    Duration time = options.connections().readTimeout();
    DnsMessage sent = UpstreamMessageMapper.query(query, instance.random());
    DnsMessage answer = upstream.ask(sent, stream, time);
    boolean cut = answer.header().is(Header.TC) && options.preferUdp();
    boolean doubtful = !UpstreamMessageMapper.sameSpelling(sent, answer);
    boolean plain = upstream.target().protocol() == UpstreamAddress.Protocol.DNS;
    if (!stream && plain && (cut || doubtful)) {
      // Over TCP no third party can answer, and the whole answer fits.
      answer = upstream.ask(sent, true, time);
    }
    if (!UpstreamMessageMapper.answers(sent, answer)) {
      return Reply.failed(
          "forward", Rcode.FORMERR, upstream.target() + " answered another question");
    }
    return UpstreamMessageMapper.reply(query, answer);
  }

  private static Reply unreachable(@Nullable String why) {
    String reason = why == null ? "unknown" : why;
    return Reply.failed("forward", Rcode.SERVFAIL, reason)
        .withOptions(List.of(EdnsOption.error(EdnsOption.ERROR_NETWORK, reason)));
  }

  @Override
  public void close() {
    upstreams.close();
    exchange.close();
  }
}
