package io.fairlead.dns.server;

import io.fairlead.client.time.Ticker;
import io.fairlead.dns.metrics.QueryStats;
import io.fairlead.dns.metrics.ServerMetrics;
import io.fairlead.dns.plugin.Answer;
import io.fairlead.dns.plugin.BlockSettings;
import io.fairlead.dns.plugin.Origin;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.Transport;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Message;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.WireException;
import java.io.IOException;
import java.net.Inet6Address;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes questions through the chain of their block, each on a virtual thread of its own. How many
/// may be on their way is limited; who comes when all permits are out is shed, so that slow
/// upstreams cost neither memory nor the names we know ourselves. Safe for any thread.
final class ChainRunner {
  private static final Logger log = LoggerFactory.getLogger(ChainRunner.class);

  private final ServerMetrics metrics;
  private final Replies replies;
  private final Ticker ticker;
  private final Semaphore permits;

  ChainRunner(ServerMetrics metrics, Replies replies, Ticker ticker, int most) {
    this.metrics = metrics;
    this.replies = replies;
    this.ticker = ticker;
    this.permits = new Semaphore(most);
  }

  /// Answers a question later, on another thread. False when there is no permit.
  ///
  /// @param done runs when the question is dealt with
  boolean submit(byte[] packet, Origin origin, Router router, Sink sink, Runnable done) {
    if (!permits.tryAcquire()) {
      metrics.dropped("overload");
      return false;
    }
    Thread.ofVirtual()
        .name("dns-query")
        .start(
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
  void run(byte[] packet, Origin origin, Router router, Sink sink) {
    try {
      answer(packet, origin, router, sink);
    } catch (IOException e) {
      // The client is gone: nobody misses the reply.
      log.atDebug().addKeyValue("client", origin.remote()).setCause(e).log("cannot reply");
    } catch (RuntimeException | StackOverflowError e) {
      metrics.panic();
      log.atError().addKeyValue("client", origin.remote()).setCause(e).log("a query failed");
    }
  }

  private void answer(byte[] packet, Origin origin, Router router, Sink sink) throws IOException {
    QueryView view = new QueryView();
    switch (view.read(packet, packet.length)) {
      case DROP -> metrics.dropped("no query");
      case FORMAT_ERROR -> sink.send(Replies.headerOnly(view, Rcode.FORMERR));
      case NOT_IMPLEMENTED -> sink.send(Replies.headerOnly(view, Rcode.NOTIMP));
      case BAD_VERSION -> sink.send(badVersion(packet, view));
      case ACCEPT -> accepted(packet, view, origin, router, sink);
    }
  }

  private static byte[] badVersion(byte[] packet, QueryView view) {
    try {
      Message asked = Message.read(packet);
      int flags = Header.QR | view.repeatedFlags();
      return new Message(
              new Header(view.id(), view.opcode(), flags, Rcode.BADVERS),
              asked.questions(),
              List.of(),
              List.of(),
              List.of(),
              new Edns(512, 0, view.dnssecOk(), List.of()))
          .write(512);
    } catch (WireException _) {
      return Replies.headerOnly(view, Rcode.FORMERR);
    }
  }

  private void accepted(byte[] packet, QueryView view, Origin origin, Router router, Sink sink)
      throws IOException {
    Message request;
    try {
      request = Message.read(packet);
    } catch (WireException _) {
      sink.send(Replies.headerOnly(view, Rcode.FORMERR));
      return;
    }
    if (!cookieFine(request.edns())) {
      sink.send(Replies.headerOnly(view, Rcode.FORMERR));
      return;
    }
    long started = ticker.nanos();
    Query query = new Query(request, origin, Name.ROOT, packet.length, 0);
    Router.Route route = router.route(query.name(), query.type());
    QueryStats stats = route == null ? router.dropped() : route.stats();
    boolean tcp = origin.transport() != Transport.UDP;
    boolean ipv6 = origin.remote().getAddress() instanceof Inet6Address;
    stats.request(tcp, ipv6, query.type(), query.dnssecOk(), packet.length);
    Answer answer = route == null ? refused() : chain(query.withZone(route.zone()), route);
    int udpLimit = route == null ? BlockSettings.UDP_LIMIT : route.block().settings().udpLimit();
    Duration idle = route == null ? Duration.ZERO : route.block().settings().idleTimeout();
    boolean recursive = route != null && route.block().recursive();
    switch (answer) {
      case Answer.Silence _ -> metrics.dropped("plugin");
      case Answer.Transfer transfer -> {
        if (stream(origin.transport())) {
          Transfers.send(request, transfer, sink);
          stats.response(true, Rcode.NOERROR, "transfer", 0, ticker.nanos() - started);
        } else {
          reply(query, refused(), recursive, udpLimit, idle, sink, stats, started);
        }
      }
      case Reply reply -> reply(query, reply, recursive, udpLimit, idle, sink, stats, started);
    }
  }

  private void reply(
      Query query,
      Reply reply,
      boolean recursive,
      int udpLimit,
      Duration idle,
      Sink sink,
      QueryStats stats,
      long started)
      throws IOException {
    byte[] bytes = replies.write(query, reply, recursive, udpLimit, (int) idle.toSeconds());
    sink.send(bytes);
    if ((bytes[2] & 2) != 0) {
      metrics.truncated();
    }
    boolean tcp = query.origin().transport() != Transport.UDP;
    stats.response(tcp, reply.rcode(), reply.plugin(), bytes.length, ticker.nanos() - started);
  }

  private static boolean cookieFine(@Nullable Edns edns) {
    return edns == null || edns.option(EdnsOption.COOKIE).map(Cookies::wellFormed).orElse(true);
  }

  /// Only a stream can carry a transfer's many messages.
  private static boolean stream(Transport transport) {
    return transport == Transport.TCP || transport == Transport.TLS;
  }

  private static Reply refused() {
    return Reply.of("", Rcode.REFUSED);
  }

  private Answer chain(Query query, Router.Route route) {
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
  /// somebody else.
  static byte[] shed(QueryView view) {
    return Replies.headerOnly(view, Rcode.SERVFAIL);
  }
}
