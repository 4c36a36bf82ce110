package io.fairlead.agent.node;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.Statuses;
import io.fairlead.client.time.Pacer;
import io.fairlead.client.transport.ConnectionException;
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

/// Registers the node and keeps its status and its lease fresh, on two threads of its own: the
/// lease must not wait for anything else.
public final class NodeKeeper implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeKeeper.class);
  private static final Duration LOOK = Duration.ofSeconds(10);
  private static final Duration GLANCE = Duration.ofSeconds(1);
  private static final Duration SEND_ANYWAY = Duration.ofMinutes(5);
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(7);

  private final Client client;
  private final InstantSource clock;
  private final Pacer pacer;
  private final Path storage;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;
  private volatile Supplier<Optional<String>> problem = Optional::empty;
  private volatile String uid = "";

  public NodeKeeper(Client client, InstantSource clock, Pacer pacer, Path storage) {
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
      return client.create(ResourceType.NODES, "", NodeObject.registration(node));
    }
    ObjectNode patch = Json.object();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.set("labels", NodeObject.labels(node));
    if (node.fingerprint().isEmpty()) {
      metadata.putObject("annotations").putNull(NodeObject.FINGERPRINT);
    } else {
      metadata.putObject("annotations").put(NodeObject.FINGERPRINT, node.fingerprint());
    }
    if (ranges(found.get()).isEmpty() && !node.podRanges().isEmpty()) {
      patch.set("spec", NodeObject.registration(node).path("spec"));
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
    threads.add(Thread.ofPlatform().daemon(true).name("node lease").start(() -> leases(node)));
    threads.add(Thread.ofVirtual().name("node status").start(() -> statuses(node)));
  }

  private void leases(NodeIdentity node) {
    every(LOOK, () -> renew(node));
  }

  private void renew(NodeIdentity node) {
    ObjectKey key = new ObjectKey("kube-node-lease", node.name());
    ObjectNode lease = NodeObject.lease(node, uid, clock.instant());
    ObjectNode patch = Json.object();
    patch.set("spec", lease.path("spec"));
    try {
      client.patch(ResourceType.LEASES, key, PatchType.MERGE, patch);
    } catch (ApiException e) {
      if (!Statuses.isNotFound(e)) {
        throw e;
      }
      client.create(ResourceType.LEASES, "kube-node-lease", lease);
    }
  }

  /// What was told last; owned by the thread that tells.
  private static final class Told {
    private Optional<String> why = Optional.empty();
    private Instant looked = Instant.EPOCH;
    private Instant sent = Instant.EPOCH;
  }

  /// A problem that comes or goes is told at once; everything else waits for the next look.
  private void statuses(NodeIdentity node) {
    Told told = new Told();
    every(
        GLANCE,
        () -> {
          Optional<String> why = problem.get();
          if (!why.equals(told.why) || !clock.instant().isBefore(told.looked.plus(LOOK))) {
            look(node, why, told);
          }
        });
  }

  private void look(NodeIdentity node, Optional<String> why, Told told) {
    ObjectNode found = client.get(ResourceType.NODES, new ObjectKey("", node.name()));
    boolean lost = !readySays(found).equals(why.isEmpty() ? "True" : "False");
    boolean old = clock.instant().isAfter(told.sent.plus(SEND_ANYWAY));
    if (lost || old || !why.equals(told.why)) {
      sendStatus(node, why, found);
      told.sent = clock.instant();
    }
    told.why = why;
    told.looked = clock.instant();
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
    ObjectNode status =
        NodeObject.status(
            node,
            Machine.look(node.pods(), storage),
            why,
            Json.at(found, "status", "conditions"),
            clock.instant());
    if (status.get("addresses") instanceof tools.jackson.databind.node.ArrayNode addresses) {
      addresses.insert(0, Json.object().put("$patch", "replace"));
    }
    patch.set("status", status);
    client.patch(
        ResourceType.NODES, new ObjectKey("", node.name()), "status", PatchType.STRATEGIC, patch);
  }

  private void every(Duration time, Runnable work) {
    try {
      while (!closed) {
        Duration wait = time;
        try {
          work.run();
        } catch (ApiException | ConnectionException e) {
          log.atInfo().addKeyValue("why", e.getMessage()).log("node not told yet, trying again");
          wait = Duration.ofSeconds(1);
        }
        pacer.pause(wait);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  @Override
  public void close() {
    closed = true;
    for (Thread thread : threads) {
      thread.interrupt();
      try {
        thread.join();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
