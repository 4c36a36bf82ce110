package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.node.NodeFactsBuilder;
import io.fairlead.proxy.node.ProxyNodeObject;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The facts about this node as the API shows them now, for any mode. Immutable but for what the
/// informers know; may be used by any thread.
final class NodeFactsSource {
  private static final Logger log = LoggerFactory.getLogger(NodeFactsSource.class);
  private static final int TRIES = 30;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final ProxyConfiguration configuration;
  private final ProxyDependencies dependencies;
  private final ProxyInformers informers;

  NodeFactsSource(
      ProxyConfiguration configuration, ProxyDependencies dependencies, ProxyInformers informers) {
    this.configuration = configuration;
    this.dependencies = dependencies;
    this.informers = informers;
  }

  NodeFactsBuilder builder(ProxyMode mode) {
    return new NodeFactsBuilder(
        configuration, mode, dependencies.nodeName(), dependencies.localAddresses());
  }

  /// The facts for a family, as a mode sees them.
  Function<IpAddress.Family, NodeFacts> now(ProxyMode mode) {
    NodeFactsBuilder builder = builder(mode);
    ProxyNodeObject node = informers.node().orElse(null);
    return family -> builder.facts(family, node, informers.serviceCidrs());
  }

  /// Waits up to half a minute for the Node to have addresses; goes on without them then.
  ///
  /// @return null when the API has no such Node
  @Nullable ProxyNodeObject awaitNode(Pacer pacer) throws InterruptedException {
    Duration pause = FIRST_PAUSE;
    for (int i = 0; i < TRIES; i++) {
      Optional<ProxyNodeObject> node = informers.node();
      if (node.isPresent() && !node.get().addresses().isEmpty()) {
        return node.get();
      }
      if (informers.nodes().hasSynced() && node.isEmpty()) {
        break;
      }
      pacer.pause(pause);
      Duration longer = pause.multipliedBy(2);
      pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
    }
    log.atWarn()
        .addKeyValue("node", dependencies.nodeName())
        .log("the Node is not in the API or has no address; going on without it");
    return informers.node().orElse(null);
  }
}
