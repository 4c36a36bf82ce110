package io.fairlead.agent.node;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.work.Backoff;
import io.fairlead.work.Pacer;
import io.fairlead.work.SupervisedLoop;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Registers the node and keeps its status and its lease fresh, in two loops: the lease waits for
/// nothing else.
public final class NodeHeartbeat implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeHeartbeat.class);
  static final String LEASE_LOOP = "node-lease";
  static final String STATUS_LOOP = "node-status";
  private static final Duration LEASE_PERIOD = Duration.ofSeconds(10);
  private static final Duration STATUS_PERIOD = Duration.ofSeconds(1);
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1));
  private static final Duration SEND_ANYWAY = Duration.ofMinutes(5);
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(7);

  private final Client client;
  private final InstantSource clock;
  private final Pacer pacer;
  private final Path storage;
  private final List<SupervisedLoop> loops = new ArrayList<>();
  private volatile Supplier<Optional<String>> problem = Optional::empty;
  private volatile String uid = "";

  public NodeHeartbeat(Client client, InstantSource clock, Pacer pacer, Path storage) {
    this.client = client;
    this.clock = clock;
    this.pacer = pacer;
    this.storage = storage;
  }

  /// The uid of the Node; empty before it is registered.
  public String uid() {
    return uid;
  }

  /// Makes the Node, or finds it, and returns the ranges of its pods, waiting for them if need be.
  ///
  /// @throws IllegalStateException when the Node has other ranges than asked for
  public List<Cidr> register(NodeIdentity node) throws InterruptedException {
    Duration wait = FIRST_RETRY;
    while (true) {
      try {
        ObjectNode found = createOrFind(node);
        uid = Json.textOr(found, "", "metadata", "uid");
        List<Cidr> ranges = ranges(found);
        if (!ranges.isEmpty()) {
          if (!node.podRanges().isEmpty() && !ranges.equals(node.podRanges())) {
            throw new IllegalStateException(
                "node "
                    + node.name()
                    + " has the pod addresses "
                    + ranges
                    + " and cannot change to "
                    + node.podRanges()
                    + ": delete the Node first, or give the agent the same range");
          }
          return ranges;
        }
        log.atInfo().addKeyValue("node", node.name()).log("waiting for a range of pod addresses");
        sendStatus(node, Optional.of("no pod CIDR assigned to this node yet"), found);
      } catch (ApiException | ConnectionException e) {
        log.atInfo().addKeyValue("why", e.getMessage()).log("node not registered yet");
      }
      pacer.pause(wait);
      wait =
          wait.multipliedBy(2).compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : wait.multipliedBy(2);
    }
  }

  private ObjectNode createOrFind(NodeIdentity node) {
    ObjectKey key = new ObjectKey("", node.name());
    Optional<ObjectNode> found = client.find(ResourceType.NODES, key);
    if (found.isEmpty()) {
      return client.create(ResourceType.NODES, "", NodeObjectBuilder.registration(node));
    }
    ObjectNode patch = Json.object();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.set("labels", NodeObjectBuilder.labels(node));
    if (node.fingerprint().isEmpty()) {
      metadata.putObject("annotations").putNull(NodeObjectBuilder.FINGERPRINT);
    } else {
      metadata.putObject("annotations").put(NodeObjectBuilder.FINGERPRINT, node.fingerprint());
    }
    if (ranges(found.get()).isEmpty() && !node.podRanges().isEmpty()) {
      patch.set("spec", NodeObjectBuilder.registration(node).path("spec"));
    }
    return client.patch(ResourceType.NODES, key, PatchType.MERGE, patch);
  }

  private static List<Cidr> ranges(ObjectNode node) {
    List<Cidr> ranges = new ArrayList<>();
    for (JsonNode range : Json.at(node, "spec", "podCIDRs")) {
      ranges.add(Cidr.parse(range.asString("")));
    }
    String single = Json.textOr(node, "", "spec", "podCIDR");
    if (ranges.isEmpty() && !single.isEmpty()) {
      ranges.add(Cidr.parse(single));
    }
    return ranges;
  }

  /// Sends status and lease once and begins to keep them fresh.
  ///
  /// @param why asked each time why no pods can run
  public void start(NodeIdentity node, Supplier<Optional<String>> why) {
    problem = why;
    LastReported reported = new LastReported();
    loops.add(keep(SupervisedLoop.of(LEASE_LOOP).platform(), LEASE_PERIOD, () -> renew(node)));
    loops.add(keep(SupervisedLoop.of(STATUS_LOOP), STATUS_PERIOD, () -> report(node, reported)));
    loops.forEach(SupervisedLoop::start);
  }

  /// A loop that does something and waits by the pacer. What fails is tried again after a second.
  private SupervisedLoop keep(SupervisedLoop.Builder loop, Duration period, Runnable work) {
    return loop.backoff(BACKOFF)
        .build(
            () -> {
              work.run();
              pacer.pause(period);
            });
  }

  private void renew(NodeIdentity node) {
    ObjectKey key = new ObjectKey("kube-node-lease", node.name());
    ObjectNode lease = NodeObjectBuilder.lease(node, uid, clock.instant());
    ObjectNode patch = Json.object();
    patch.set("spec", lease.path("spec"));
    try {
      client.patch(ResourceType.LEASES, key, PatchType.MERGE, patch);
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
      client.create(ResourceType.LEASES, "kube-node-lease", lease);
    }
  }

  /// The status that the API has; owned by the loop that reports it.
  private static final class LastReported {
    private Optional<String> why = Optional.empty();
    private Instant looked = Instant.EPOCH;
    private Instant sent = Instant.EPOCH;
  }

  /// Reports a problem that comes or goes at once, everything else every ten seconds.
  private void report(NodeIdentity node, LastReported last) {
    Optional<String> why = problem.get();
    if (why.equals(last.why) && clock.instant().isBefore(last.looked.plus(LEASE_PERIOD))) {
      return;
    }
    ObjectNode found = client.get(ResourceType.NODES, new ObjectKey("", node.name()));
    boolean lost = !readySays(found).equals(why.isEmpty() ? "True" : "False");
    boolean old = clock.instant().isAfter(last.sent.plus(SEND_ANYWAY));
    boolean announced = !ofOthers(found, MachineInfo.look(node.pods(), storage)).isEmpty();
    if (lost || old || announced || !why.equals(last.why)) {
      sendStatus(node, why, found);
      last.sent = clock.instant();
    }
    last.why = why;
    last.looked = clock.instant();
  }

  private static ObjectNode ofOthers(ObjectNode found, MachineInfo machine) {
    return NodeObjectBuilder.allocatableOfOthers(found.path("status"), machine.capacity().keySet());
  }

  private static String readySays(ObjectNode node) {
    for (JsonNode condition : Json.at(node, "status", "conditions")) {
      if (Json.textOr(condition, "", "type").equals("Ready")) {
        return Json.textOr(condition, "", "status");
      }
    }
    return "";
  }

  private void sendStatus(NodeIdentity node, Optional<String> why, ObjectNode found) {
    ObjectNode patch = Json.object();
    MachineInfo machine = MachineInfo.look(node.pods(), storage);
    ObjectNode status =
        NodeObjectBuilder.status(
            node, machine, why, Json.at(found, "status", "conditions"), clock.instant());
    Json.child(status, "allocatable").setAll(ofOthers(found, machine));
    if (status.get("addresses") instanceof tools.jackson.databind.node.ArrayNode addresses) {
      addresses.insert(0, Json.object().put("$patch", "replace"));
    }
    patch.set("status", status);
    client.patch(
        ResourceType.NODES, new ObjectKey("", node.name()), "status", PatchType.STRATEGIC, patch);
  }

  @Override
  public void close() {
    loops.forEach(SupervisedLoop::close);
  }
}
