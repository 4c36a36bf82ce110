package io.fairlead.proxy.nodeapi;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.kernel.conntrack.Conntrack;
import io.fairlead.kernel.conntrack.ConntrackEntry;
import io.fairlead.kernel.conntrack.ConntrackTuple;
import io.fairlead.kernel.route.RouteLookup;
import io.fairlead.kernel.route.Rtnetlink;
import io.fairlead.kernel.socket.ConnectResult;
import io.fairlead.kernel.socket.ConnectionProbe;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.work.Tasks;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `probes`: connections from the node or from one of its pods, and how each came out.
final class ProbesDocument {
  private static final int MOST_TARGETS = 64;
  private static final int AT_ONCE = 8;
  private static final int LONGEST_MILLIS = 5000;
  private static final int USUAL_MILLIS = 1000;
  private static final int MOST_PAYLOAD = 1024;
  private static final double NANOS_PER_MILLI = 1e6;

  private final NodeView view;
  private final Ticker ticker;
  private final Semaphore slots = new Semaphore(AT_ONCE);

  ProbesDocument(NodeView view, Ticker ticker) {
    this.view = view;
    this.ticker = ticker;
  }

  /// One connection to make.
  private record Target(InetAddress address, int port, Protocol protocol, String payload) {}

  ObjectNode answer(NodeApiRequest request) throws InterruptedException {
    Optional<Path> from = namespace(request);
    Duration limit = limit(request.body(), USUAL_MILLIS);
    int sourcePort = request.body().path("sourcePort").asInt(0);
    List<Target> targets = targets(request.body().path("targets"));
    List<FutureTask<ObjectNode>> running = new ArrayList<>();
    for (Target target : targets) {
      FutureTask<ObjectNode> task =
          new FutureTask<>(() -> limited(from, target, limit, sourcePort));
      Thread _ = Tasks.startPlatform("node-probe", task::run);
      running.add(task);
    }
    ObjectNode document = Json.object().put("kind", "ProbeResults").put("node", view.nodeName());
    ArrayNode results = document.putArray("results");
    for (FutureTask<ObjectNode> task : running) {
      try {
        results.add(task.get());
      } catch (ExecutionException e) {
        throw ApiException.internal(String.valueOf(e.getCause()));
      }
    }
    return document;
  }

  /// The network namespace that `{"pod": UID}` or `{"node": true}` means; empty for the node's.
  static Optional<Path> namespace(NodeApiRequest request) {
    String uid = request.podUid();
    if (uid.isEmpty()) {
      return Optional.empty();
    }
    return request
        .pods()
        .find(uid)
        .orElseThrow(() -> ApiException.notFound("", "pods", uid))
        .networkNamespace();
  }

  static Duration limit(ObjectNode body, int otherwise) {
    int millis = body.path("timeoutMillis").asInt(otherwise);
    if (millis < 1 || millis > LONGEST_MILLIS) {
      throw ApiException.badRequest(
          "timeoutMillis must be 1 to " + LONGEST_MILLIS + ", not " + millis);
    }
    return Duration.ofMillis(millis);
  }

  private static List<Target> targets(JsonNode list) {
    if (list.isEmpty() || list.size() > MOST_TARGETS) {
      throw ApiException.badRequest("targets must be 1 to " + MOST_TARGETS);
    }
    List<Target> targets = new ArrayList<>();
    for (JsonNode each : list) {
      targets.add(
          new Target(address(each), port(each), protocol(each), payload(each.path("payload"))));
    }
    return targets;
  }

  static InetAddress address(JsonNode target) {
    String text = Json.textOr(target, "", "address");
    IpAddress address = IpAddress.parseOrNull(text);
    if (address == null) {
      throw ApiException.badRequest("address is none: " + text);
    }
    try {
      return InetAddress.getByAddress(address.toBytes());
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  static int port(JsonNode target) {
    int port = target.path("port").asInt(0);
    if (port < 1 || port > 65535) {
      throw ApiException.badRequest("port is none: " + target.path("port"));
    }
    return port;
  }

  static Protocol protocol(JsonNode target) {
    String text = Json.textOr(target, "TCP", "protocol").toUpperCase(Locale.ROOT);
    if (!text.equals("TCP") && !text.equals("UDP")) {
      throw ApiException.badRequest("protocol must be TCP or UDP, not " + text);
    }
    return Protocol.of(text);
  }

  static String payload(JsonNode payload) {
    String text = payload.asString("");
    if (text.length() > MOST_PAYLOAD) {
      throw ApiException.badRequest("a payload has at most " + MOST_PAYLOAD + " characters");
    }
    return text;
  }

  private ObjectNode limited(Optional<Path> from, Target target, Duration limit, int sourcePort)
      throws Exception {
    slots.acquire();
    try {
      return probe(from, target, limit, sourcePort);
    } finally {
      slots.release();
    }
  }

  private ObjectNode probe(Optional<Path> from, Target target, Duration limit, int sourcePort)
      throws Exception {
    ObjectNode result =
        Json.object()
            .put("address", IpAddress.ofBytes(target.address().getAddress()).toString())
            .put("port", target.port())
            .put("protocol", target.protocol().name());
    Callable<ConnectionProbe> open = () -> open(target, sourcePort);
    ConnectionProbe opened;
    try {
      opened = from.isPresent() ? NetworkNamespace.callIn(from.get(), open) : open.call();
    } catch (SystemCallException e) {
      return result
          .put("outcome", "unreachable")
          .putNull("millis")
          .putNull("localPort")
          .putNull("reply")
          .put("detail", String.valueOf(e.getMessage()));
    }
    try (ConnectionProbe probe = opened;
        Conntrack conntrack = Conntrack.open()) {
      ConnectResult how =
          probe.run(
              new InetSocketAddress(target.address(), target.port()),
              target.payload().getBytes(StandardCharsets.UTF_8),
              limit);
      result
          .put("outcome", word(how.outcome()))
          .put("millis", how.nanos() / NANOS_PER_MILLI)
          .put("localAddress", probe.local().getAddress().getHostAddress())
          .put("localPort", probe.local().getPort());
      Optional<ConntrackEntry> entry =
          conntrack.find(
              new ConntrackTuple(
                  probe.local().getAddress(),
                  target.address(),
                  target.protocol().number(),
                  probe.local().getPort(),
                  target.port()));
      if (entry.isEmpty()) {
        result.putNull("reply");
      } else {
        result
            .putObject("reply")
            .put(
                "sourceAddress",
                IpAddress.ofBytes(entry.get().reply().source().getAddress()).toString())
            .put("sourcePort", entry.get().reply().sourcePort())
            .put(
                "destinationAddress",
                IpAddress.ofBytes(entry.get().reply().destination().getAddress()).toString())
            .put("destinationPort", entry.get().reply().destinationPort());
      }
      return result.put("detail", how.detail());
    }
  }

  static String word(ConnectResult.Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }

  private ConnectionProbe open(Target target, int sourcePort) throws IOException {
    InetAddress source;
    try (Rtnetlink network = Rtnetlink.open()) {
      RouteLookup route = network.lookup(target.address());
      source = route.source() == null ? target.address() : route.source();
    }
    return target.protocol() == Protocol.UDP
        ? ConnectionProbe.udp(source, sourcePort, ticker)
        : ConnectionProbe.tcp(source, sourcePort, ticker);
  }
}
