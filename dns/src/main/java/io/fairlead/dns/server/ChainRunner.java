package io.fairlead.dns.server;

import io.fairlead.dns.metrics.DnsServerMetrics;
import io.fairlead.dns.metrics.QueryStats;
import io.fairlead.dns.plugin.BlockSettings;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.QueryOrigin;
import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.WireException;
import io.fairlead.work.Tasks;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.Inet6Address;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs queries through the chain of their block: at once on the thread that received them, as long
/// as no plugin has to wait; else each on a virtual thread of its own. Permits limit how many run
/// at the same time; without a permit a query is shed, so that slow upstreams cost neither memory
/// nor the answers for cluster names. Safe for any thread.
final class ChainRunner {
  private static final Logger log = LoggerFactory.getLogger(ChainRunner.class);

  private final DnsServerMetrics metrics;
  private final ReplyEncoder replies;
  private final Ticker ticker;
  private final Semaphore permits;

  ChainRunner(DnsServerMetrics metrics, ReplyEncoder replies, Ticker ticker, int most) {
    this.metrics = metrics;
    this.replies = replies;
    this.ticker = ticker;
    this.permits = new Semaphore(most);
  }

  /// Answers a question at once, on the thread that received it.
  ///
  /// @param view an accepted query
  /// @return false when a plugin has to wait: nothing was sent or counted, [#submit] is next
  boolean answerNow(QueryView view, QueryOrigin origin, Router router, ReplySink sink) {
    try {
      return accepted(view, origin, router, sink, false);
    } catch (IOException e) {
      log.atDebug().addKeyValue("client", origin.remote()).setCause(e).log("cannot reply");
      return true;
    }
  }

  /// Answers a question later, on another thread. False when there is no permit.
  ///
  /// @param done runs when the question is dealt with
  boolean submit(byte[] packet, QueryOrigin origin, Router router, ReplySink sink, Runnable done) {
    if (!permits.tryAcquire()) {
      metrics.dropped("overload");
      return false;
    }
    Tasks.start(
        "dns-query",
        () -> {
          try {
            run(packet, origin, router, sink);
          } finally {
            permits.release();
            done.run();
          }
        });
    return true;
  }

  /// Answers a question on the calling thread.
  void run(byte[] packet, QueryOrigin origin, Router router, ReplySink sink) {
    try {
      answer(packet, origin, router, sink);
    } catch (IOException e) {
      // The client is gone and does not miss the reply.
      log.atDebug().addKeyValue("client", origin.remote()).setCause(e).log("cannot reply");
    } catch (RuntimeException | StackOverflowError e) {
      metrics.panic();
      log.atError().addKeyValue("client", origin.remote()).setCause(e).log("a query failed");
    }
  }

  private void answer(byte[] packet, QueryOrigin origin, Router router, ReplySink sink)
      throws IOException {
    QueryView view = new QueryView();
    switch (view.read(packet, packet.length)) {
      case DROP -> metrics.dropped("no query");
      case FORMAT_ERROR -> sink.send(ReplyEncoder.headerOnly(view, Rcode.FORMERR));
      case NOT_IMPLEMENTED -> sink.send(ReplyEncoder.headerOnly(view, Rcode.NOTIMP));
      case BAD_VERSION -> sink.send(badVersion(packet, view));
      case ACCEPT -> accepted(view, origin, router, sink, true);
    }
  }

  private static byte[] badVersion(byte[] packet, QueryView view) {
    try {
      DnsMessage asked = DnsMessage.read(packet);
      int flags = Header.QR | view.repeatedFlags();
      return new DnsMessage(
              new Header(view.id(), view.opcode(), flags, Rcode.BADVERS),
              asked.questions(),
              List.of(),
              List.of(),
              List.of(),
              new Edns(512, 0, view.dnssecOk(), List.of()))
          .write(512);
    } catch (WireException _) {
      return ReplyEncoder.headerOnly(view, Rcode.FORMERR);
    }
  }

  /// False when the chain would block and must not.
  private boolean accepted(
      QueryView view, QueryOrigin origin, Router router, ReplySink sink, boolean mayBlock)
      throws IOException {
    long started = ticker.nanos();
    int size = view.length();
    DnsMessage request;
    try {
      request = DnsMessage.read(view.bytes(), 0, size);
    } catch (WireException _) {
      sink.send(ReplyEncoder.headerOnly(view, Rcode.FORMERR));
      return true;
    }
    if (!cookieFine(request.edns())) {
      sink.send(ReplyEncoder.headerOnly(view, Rcode.FORMERR));
      return true;
    }
    Query query = new Query(request, origin, Name.ROOT, size, 0, mayBlock);
    Router.Route route = router.route(query.name(), query.type());
    QueryStats stats = route == null ? router.dropped() : route.stats();
    boolean tcp = origin.transport() != QueryTransport.UDP;
    boolean ipv6 = origin.remote().getAddress() instanceof Inet6Address;
    DnsAnswer answer = route == null ? refused() : chain(query.withZone(route.zone()), route);
    if (answer instanceof DnsAnswer.WouldBlock && !mayBlock) {
      return false;
    }
    stats.request(tcp, ipv6, query.type(), query.dnssecOk(), size);
    int udpLimit = route == null ? BlockSettings.UDP_LIMIT : route.block().settings().udpLimit();
    Duration idle = route == null ? Duration.ZERO : route.block().settings().idleTimeout();
    boolean recursive = route != null && route.block().recursive();
    switch (answer) {
      case DnsAnswer.NoReply _ -> metrics.dropped("plugin");
      case DnsAnswer.WouldBlock _ ->
          throw new IllegalStateException("a plugin does not block although it may");
      case DnsAnswer.ZoneTransfer transfer -> {
        if (stream(origin.transport())) {
          ZoneTransferSender.send(request, transfer, sink);
          stats.response(true, Rcode.NOERROR, "transfer", 0, ticker.nanos() - started);
        } else {
          reply(query, refused(), recursive, udpLimit, idle, sink, stats, started);
        }
      }
      case Reply reply -> {
        byte[] sent = reply(query, reply, recursive, udpLimit, idle, sink, stats, started);
        boolean cut = (sent[2] & 2) != 0;
        // A failure is logged each time.
        boolean ready = reply.validity() != null && reply.failure() == null && !cut;
        if (route != null && ready) {
          sink.repeatable(sent, route, reply);
        }
      }
    }
    return true;
  }

  private byte[] reply(
      Query query,
      Reply reply,
      boolean recursive,
      int udpLimit,
      Duration idle,
      ReplySink sink,
      QueryStats stats,
      long started)
      throws IOException {
    byte[] bytes = replies.write(query, reply, recursive, udpLimit, (int) idle.toSeconds());
    sink.send(bytes);
    if ((bytes[2] & 2) != 0) {
      metrics.truncated();
    }
    boolean tcp = query.origin().transport() != QueryTransport.UDP;
    stats.response(tcp, reply.rcode(), reply.plugin(), bytes.length, ticker.nanos() - started);
    return bytes;
  }

  private static boolean cookieFine(@Nullable Edns edns) {
    return edns == null || edns.option(EdnsOption.COOKIE).map(DnsCookies::wellFormed).orElse(true);
  }

  /// Only a stream can carry a transfer's many messages.
  private static boolean stream(QueryTransport transport) {
    return transport == QueryTransport.TCP || transport == QueryTransport.TLS;
  }

  private static Reply refused() {
    return Reply.of("", Rcode.REFUSED);
  }

  private DnsAnswer chain(Query query, Router.Route route) {
    int recordClass = query.question().recordClass();
    boolean chaos = recordClass == RecordClass.CH && route.block().has("chaos");
    if (recordClass != RecordClass.IN && !chaos) {
      return refused();
    }
    try {
      return route.block().chain().handle(query);
    } catch (RuntimeException | StackOverflowError e) {
      metrics.panic();
      log.atError()
          .addKeyValue("name", query.name())
          .addKeyValue("type", query.type())
          .setCause(e)
          .log("a plugin failed");
      return Reply.of("", Rcode.SERVFAIL);
    }
  }

  /// Sheds a question that came when all permits were out: SERVFAIL, so that the client asks
  /// another server.
  static byte[] shed(QueryView view) {
    return ReplyEncoder.headerOnly(view, Rcode.SERVFAIL);
  }
}
