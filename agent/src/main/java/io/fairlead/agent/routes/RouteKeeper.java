package io.fairlead.agent.routes;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatches;
import io.fairlead.client.informer.Pacing;
import io.fairlead.client.queue.WorkQueue;
import io.fairlead.client.time.Backoff;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Follows the Node objects and keeps this node's routes in line with them, on a thread of its own:
/// at once when a node comes, goes or changes, and once a minute in case somebody else changed the
/// kernel. While the API is away everything stays as it is.
public final class RouteKeeper implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RouteKeeper.class);
  private static final Duration LOOK = Duration.ofMinutes(1);
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30));
  private static final String ALL = "nodes";

  private final Client client;
  private final NodeRoutes routes;
  private final String node;
  private final Consumer<Collection<Peer>> others;
  private final Informer<Peer> nodes;
  private final WorkQueue<String> queue;
  private final Thread thread;
  private Set<String> told = Set.of();

  /// @param node the name of this one
  /// @param others is given all other nodes before packets can come from their pods
  public RouteKeeper(
      Client client,
      Pacing pacing,
      NodeRoutes routes,
      String node,
      Consumer<Collection<Peer>> others) {
    this.client = client;
    this.routes = routes;
    this.node = node;
    this.others = others;
    this.queue = new WorkQueue<>(pacing.ticker(), BACKOFF);
    this.nodes =
        new Informer<>(ListWatches.objects(client, ResourceType.NODES, "", ""), Peer::of, pacing);
    this.thread = Thread.ofVirtual().name("node routes").unstarted(this::work);
  }

  public void start() {
    nodes.onChange(
        new ChangeHandler<>() {
          @Override
          public void added(Peer peer, boolean initial) {
            queue.add(ALL);
          }

          @Override
          public void updated(Peer old, Peer now) {
            boolean same =
                old.addresses().equals(now.addresses())
                    && old.ranges().equals(now.ranges())
                    && old.published().equals(now.published());
            if (!same) {
              queue.add(ALL);
            }
          }

          @Override
          public void deleted(Peer last, boolean finalStateUnknown) {
            queue.add(ALL);
          }
        });
    nodes.start();
    queue.add(ALL);
    thread.start();
  }

  private void work() {
    try {
      nodes.awaitSync();
      for (Optional<String> key = queue.take(); key.isPresent(); key = queue.take()) {
        look(key.get());
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private void look(String key) {
    try {
      sync();
      queue.forget(key);
      queue.addAfter(key, LOOK);
    } catch (RuntimeException e) {
      log.atWarn().setCause(e).log("routes to other nodes not set, trying again");
      queue.retry(key);
    } finally {
      queue.done(key);
    }
  }

  private void sync() {
    publish(routes.prepare());
    List<Peer> peers = nodes.list().stream().filter(peer -> !peer.name().equals(node)).toList();
    others.accept(peers);
    Set<String> failures = routes.sync(peers);
    if (!failures.equals(told)) {
      failures.forEach(why -> log.atWarn().addKeyValue("why", why).log("pods out of reach"));
      told = failures;
    }
  }

  /// Writes this node's end of tunnels on its Node, unless it stands there.
  private void publish(Optional<TunnelEnd> end) {
    String wanted = end.map(TunnelEnd::text).orElse("");
    Optional<Peer> self = nodes.get(new ObjectKey("", node));
    if (self.isEmpty() || self.get().published().equals(wanted)) {
      return;
    }
    ObjectNode patch = Json.object();
    ObjectNode annotations = patch.putObject("metadata").putObject("annotations");
    if (wanted.isEmpty()) {
      annotations.putNull(TunnelEnd.ANNOTATION);
    } else {
      annotations.put(TunnelEnd.ANNOTATION, wanted);
    }
    client.patch(ResourceType.NODES, new ObjectKey("", node), PatchType.MERGE, patch);
  }

  /// Follows nodes no longer; the routes stay.
  @Override
  public void close() {
    queue.close();
    thread.interrupt();
    try {
      if (thread.isAlive()) {
        thread.join();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    nodes.close();
  }
}
