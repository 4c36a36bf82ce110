package io.fairlead.controller.nodeipam;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.placement.Node;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.EachChange;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Gives every Node without a range of pod addresses one of its own.
///
/// How it works: nothing is remembered but what is on its way. Taken is what any Node object says,
/// whichever client wrote it, and what this controller has sent and not yet seen; so a restart can
/// give no range twice, and a Node that goes frees its range by going. Pieces are given in turn:
/// one that was freed is used again late, when no packets go to its old addresses any more. The
/// server lets a range be set once only, so of two writers one is refused.
///
/// One worker, which owns the state.
public final class NodeIpamController implements Controller {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));
  private static final int UNPROCESSABLE = 422;

  private final Client client;
  private final EventRecorder events;
  private final Informer<Node> nodes;
  private final NodeRanges ranges;
  private final WorkQueue<String> queue;
  private final ControllerLoop<String> loop;
  private final int workers;

  /// Sent and not yet seen, by node.
  private final Map<String, List<Cidr>> sent = new HashMap<>();

  /// Nodes for which there was nothing left.
  private final Set<String> waiting = new HashSet<>();

  /// Where to look for the next piece of each range.
  private final Map<Cidr, Integer> next = new HashMap<>();

  /// @param workers 1, or 0 for tests that run it by hand
  public NodeIpamController(ControllerContext wiring, NodeRanges ranges, int workers) {
    this.client = wiring.client();
    this.events = wiring.events("cidrAllocator");
    this.nodes = wiring.informers().of(Node.KIND);
    this.ranges = ranges;
    this.workers = workers;
    this.queue = new WorkQueue<>(wiring.pacing().ticker(), BACKOFF);
    this.loop =
        new ControllerLoop<>("node-ipam-controller", queue, this::reconcile, List.of(nodes));
  }

  @Override
  public void start() {
    if (!ranges.cluster().isEmpty()) {
      nodes.onChange(new EachChange<>(node -> queue.add(node.name())));
    }
    loop.start(workers);
  }

  @Override
  public ControllerLoop<String> loop() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
  }

  private Reconciler.Result reconcile(String name) {
    Optional<Node> found = nodes.get(new ObjectKey("", name));
    if (found.isEmpty()) {
      sent.remove(name);
      waiting.remove(name);
      // What it had may be what others wait for.
      waiting.forEach(queue::add);
      return Reconciler.DONE;
    }
    if (!found.get().podCidrs().isEmpty()) {
      sent.remove(name);
      waiting.remove(name);
      return Reconciler.DONE;
    }
    give(found.get());
    return Reconciler.DONE;
  }

  private void give(Node node) {
    List<Cidr> given = sent.get(node.name());
    if (given == null) {
      Optional<List<Cidr>> free = free();
      if (free.isEmpty()) {
        if (waiting.add(node.name())) {
          events.record(
              ObjectEvent.warning(
                  reference(node),
                  "CIDRNotAvailable",
                  "Node " + node.name() + " status is now: CIDRNotAvailable"));
        }
        return;
      }
      given = free.get();
      // Kept when it is not known whether the server took it: the next try sends the same.
      sent.put(node.name(), given);
      waiting.remove(node.name());
    }
    try {
      client.patch(ResourceType.NODES, node.metadata().key(), PatchType.MERGE, patch(node, given));
    } catch (ApiException e) {
      boolean another = ApiErrors.isConflict(e) || e.status().code() == UNPROCESSABLE;
      if (!another && !ApiErrors.isNotFound(e)) {
        throw e;
      }
      // Another client gave it one, or it went: an event about that is on its way.
      sent.remove(node.name());
    }
  }

  /// A free piece of every range.
  private Optional<List<Cidr>> free() {
    List<Cidr> used = new ArrayList<>(ranges.reserved());
    for (Node node : nodes.list()) {
      node.podCidrs().stream()
          .map(Cidr::parseOrNull)
          .forEach(
              range -> {
                if (range != null) {
                  used.add(range);
                }
              });
    }
    sent.values().forEach(used::addAll);
    Map<Cidr, Integer> chosen = new HashMap<>();
    List<Cidr> free = new ArrayList<>();
    for (Cidr range : ranges.cluster()) {
      CidrSubnets pieces = new CidrSubnets(range, ranges.length(range));
      Optional<Integer> number = pieces.free(next.getOrDefault(range, 0), used);
      if (number.isEmpty()) {
        return Optional.empty();
      }
      chosen.put(range, number.get() + 1);
      free.add(pieces.at(number.get()));
    }
    next.putAll(chosen);
    return Optional.of(free);
  }

  private static ObjectNode patch(Node node, List<Cidr> given) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", node.metadata().uid());
    ObjectNode spec = patch.putObject("spec").put("podCIDR", given.getFirst().toString());
    ArrayNode all = spec.putArray("podCIDRs");
    given.forEach(range -> all.add(range.toString()));
    return patch;
  }

  private static ObjectRef reference(Node node) {
    return new ObjectRef(ResourceType.NODES, node.metadata().key(), node.metadata().uid());
  }
}
