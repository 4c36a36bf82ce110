package io.fairlead.agent.routes;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Follows the Node objects and keeps this node's routes in line with them, in a loop: at once when
/// a node comes, goes or changes, and once a minute in case another program has changed the kernel.
/// While the API is away everything stays as it is.
public final class RouteReconciler implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RouteReconciler.class);
  static final String LOOP = "node-routes";
  private static final Duration PERIOD = Duration.ofMinutes(1);

  private final Client client;
  private final NodeRoutes routes;
  private final String node;
  private final Consumer<Collection<PeerNode>> others;
  private final Informer<PeerNode> nodes;
  private final SupervisedLoop loop;
  private Set<String> reported = Set.of();

  /// @param node the name of this one
  /// @param others is given all other nodes before packets can come from their pods
  public RouteReconciler(
      Client client,
      TimingSources pacing,
      NodeRoutes routes,
      String node,
      Consumer<Collection<PeerNode>> others) {
    this.client = client;
    this.routes = routes;
    this.node = node;
    this.others = others;
    this.nodes =
        Informer.decoding(
            ListWatchFactory.objects(client, ResourceType.NODES, "", ""), PeerNode::of, pacing);
    this.loop = SupervisedLoop.of(LOOP).every(PERIOD).build(this::sync);
  }

  public void start() {
    nodes.onChange(
        new ChangeHandler<>() {
          @Override
          public void added(PeerNode peer, boolean initial) {
            loop.wake();
          }

          @Override
          public void updated(PeerNode old, PeerNode now) {
            boolean same =
                old.addresses().equals(now.addresses())
                    && old.ranges().equals(now.ranges())
                    && old.published().equals(now.published());
            if (!same) {
              loop.wake();
            }
          }

          @Override
          public void deleted(PeerNode last, boolean finalStateUnknown) {
            loop.wake();
          }
        });
    nodes.start();
    loop.start();
  }

  private void sync() throws InterruptedException {
    nodes.awaitSync();
    publish(routes.prepare());
    List<PeerNode> peers = nodes.list().stream().filter(peer -> !peer.name().equals(node)).toList();
    others.accept(peers);
    Set<String> failures = routes.sync(peers);
    if (!failures.equals(reported)) {
      failures.forEach(why -> log.atWarn().addKeyValue("why", why).log("pods out of reach"));
      reported = failures;
    }
  }

  /// Writes this node's end of tunnels on its Node, unless it stands there.
  private void publish(Optional<VxlanTunnelEndpoint> end) {
    String wanted = end.map(VxlanTunnelEndpoint::text).orElse("");
    Optional<PeerNode> self = nodes.get(new ObjectKey("", node));
    if (self.isEmpty() || self.get().published().equals(wanted)) {
      return;
    }
    ObjectNode patch = Json.object();
    ObjectNode annotations = patch.putObject("metadata").putObject("annotations");
    if (wanted.isEmpty()) {
      annotations.putNull(VxlanTunnelEndpoint.ANNOTATION);
    } else {
      annotations.put(VxlanTunnelEndpoint.ANNOTATION, wanted);
    }
    client.patch(ResourceType.NODES, new ObjectKey("", node), PatchType.MERGE, patch);
  }

  /// Follows nodes no longer; the routes stay.
  @Override
  public void close() {
    loop.close();
    nodes.close();
  }
}
