package io.fairlead.proxy.nodeapi;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.kernel.socket.ConnectResult;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.RelayedChoice;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.trace.ConnectionTracer;
import io.fairlead.proxy.trace.TraceAnalysis;
import io.fairlead.proxy.trace.TraceContext;
import io.fairlead.proxy.trace.TraceEvidence;
import io.fairlead.proxy.trace.TraceHop;
import io.fairlead.proxy.trace.TraceReport;
import io.fairlead.proxy.trace.TraceRequest;
import io.fairlead.proxy.trace.TraceTable;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `traces`: one connection followed through the rules, or several that only show where they went.
/// One request at a time on a node.
final class TraceDocument {
  private static final Logger log = LoggerFactory.getLogger(TraceDocument.class);
  private static final int USUAL_MILLIS = 2000;
  private static final int LONGEST_WAIT_MILLIS = 30_000;
  private static final int MOST = 20;
  private static final double NANOS_PER_MILLI = 1e6;

  private final NodeView view;
  private final ConnectionTracer tracer;
  private final Semaphore running = new Semaphore(1);
  private volatile @Nullable TraceRequest now;

  TraceDocument(NodeView view, Ticker ticker, Pacer pacer) {
    this.view = view;
    this.tracer = new ConnectionTracer(ticker, pacer);
  }

  ObjectNode answer(NodeApiRequest request) throws InterruptedException {
    ObjectNode body = request.body();
    JsonNode to = body.path("to");
    boolean passive = body.path("passive").asBoolean(false);
    TraceRequest wanted =
        new TraceRequest(
            ProbesDocument.namespace(request),
            ProbesDocument.address(to),
            ProbesDocument.port(to),
            ProbesDocument.protocol(to),
            ProbesDocument.payload(body.path("payload")),
            passive ? waiting(body) : ProbesDocument.limit(body, USUAL_MILLIS),
            endpoint(body),
            passive);
    int count = Math.clamp(body.path("count").asInt(1), 1, MOST);
    if (!running.tryAcquire()) {
      throw another();
    }
    try {
      log.atInfo()
          .addKeyValue("user", request.user())
          .addKeyValue("to", wanted.destination().getHostAddress() + ":" + wanted.port())
          .log("traces a connection");
      now = wanted;
      return traced(wanted, count);
    } catch (TraceTable.TraceRunningException e) {
      throw another();
    } finally {
      now = null;
      running.release();
    }
  }

  /// The hops of the trace that runs now, as far as they are known; none when no trace runs.
  ObjectNode soFar() {
    ObjectNode document = Json.object().put("kind", "TraceProgress").put("node", view.nodeName());
    TraceRequest wanted = now;
    List<TraceHop> hops =
        wanted == null
            ? List.of()
            : tracer
                .soFar()
                .map(seen -> TraceAnalysis.soFar(seen, context(wanted)))
                .orElse(List.of());
    TraceReport.writeHops(hops, document, view.nodeName());
    return document;
  }

  private static ApiException another() {
    return ApiException.tooManyRequests("another trace runs on this node", 1);
  }

  /// How long to wait for a connection of others.
  private static Duration waiting(ObjectNode body) {
    return Duration.ofMillis(
        Math.clamp(body.path("timeoutMillis").asInt(USUAL_MILLIS), 1, LONGEST_WAIT_MILLIS));
  }

  private static Optional<InetAddress> endpoint(ObjectNode body) {
    String text = Json.textOr(body, "", "endpoint");
    return text.isEmpty()
        ? Optional.empty()
        : Optional.of(ProbesDocument.address(Json.object().put("address", text)));
  }

  private ObjectNode traced(TraceRequest wanted, int count) throws InterruptedException {
    TraceContext known = context(wanted);
    TraceEvidence first = tracer.run(wanted);
    TraceContext context = known.with(relayed(known, first));
    if (wanted.passive() && first.source() == null) {
      return Json.object()
          .put("kind", "TraceResult")
          .put("node", context.node())
          .put("mode", context.mode().toString())
          .put("result", "none");
    }
    TraceReport report = TraceAnalysis.of(first, context);
    ObjectNode document =
        Json.object()
            .put("kind", "TraceResult")
            .put("node", context.node())
            .put("mode", context.mode().toString())
            .put("service", context.service());
    probe(document.putObject("probe"), wanted, first);
    report.writeTo(document, context.node());
    document.put("lost", first.lost() ? 1 : 0).put("table", "removed");
    if (count > 1 && !wanted.passive()) {
      counts(document, wanted, count, context, report);
    }
    return document;
  }

  private void counts(
      ObjectNode document, TraceRequest wanted, int count, TraceContext context, TraceReport first)
      throws InterruptedException {
    Map<String, Integer> times = new LinkedHashMap<>();
    times.merge(name(first), 1, Integer::sum);
    for (int i = 1; i < count; i++) {
      TraceEvidence seen = tracer.run(wanted);
      TraceContext now = context.with(relayed(context, seen));
      times.merge(name(TraceAnalysis.of(seen, now)), 1, Integer::sum);
    }
    ArrayNode counts = document.putArray("counts");
    times.forEach(
        (endpoint, number) -> counts.addObject().put("endpoint", endpoint).put("times", number));
  }

  /// What the relay noted of a connection, by where the relay saw it come from.
  private Optional<RelayedChoice> relayed(TraceContext context, TraceEvidence seen) {
    InetSocketAddress source = seen.source();
    if (context.mode() != ProxyMode.USERSPACE || source == null) {
      return Optional.empty();
    }
    return seen.entry()
        .map(
            entry ->
                new InetSocketAddress(entry.reply().destination(), entry.reply().destinationPort()))
        .or(() -> Optional.of(source))
        .flatMap(
            client ->
                view.relayed(
                    IpAddress.ofBytes(client.getAddress().getAddress()), client.getPort()));
  }

  private static String name(TraceReport report) {
    return report.endpoint() == null
        ? report.result().word()
        : report.endpoint().address() + ":" + report.endpoint().port();
  }

  private static void probe(ObjectNode out, TraceRequest wanted, TraceEvidence seen) {
    out.put("protocol", wanted.protocol().name());
    InetSocketAddress source = seen.source();
    ConnectResult result = seen.result();
    if (source == null || result == null) {
      out.putNull("source").put("sentTimes", 0).put("outcome", "none").putNull("millis");
      return;
    }
    String address = IpAddress.ofBytes(source.getAddress().getAddress()).toString();
    out.put(
            "source",
            (address.indexOf(':') >= 0 ? "[" + address + "]" : address) + ":" + source.getPort())
        .put("sentTimes", Math.max(1, seen.packets().size()))
        .put("outcome", ProbesDocument.word(result.outcome()));
    if (wanted.passive()) {
      out.putNull("millis");
    } else {
      out.put("millis", result.nanos() / NANOS_PER_MILLI);
    }
  }

  /// Which service port has the destination.
  private TraceContext context(TraceRequest wanted) {
    for (ServicePlan service : view.services("", "")) {
      if (service.name().protocol() != wanted.protocol()) {
        continue;
      }
      for (Frontend front : service.fronts()) {
        if (isFront(front, wanted)) {
          return new TraceContext(
              view.nodeName(),
              view.mode(),
              service.name().displayName(),
              Optional.of(front),
              service.port().stickySeconds());
        }
      }
    }
    return new TraceContext(view.nodeName(), view.mode(), "", Optional.empty(), 0);
  }

  private static boolean isFront(Frontend front, TraceRequest wanted) {
    IpAddress address = front.address();
    return front.port() == wanted.port()
        && (address == null
            || address.equals(IpAddress.ofBytes(wanted.destination().getAddress())));
  }
}
