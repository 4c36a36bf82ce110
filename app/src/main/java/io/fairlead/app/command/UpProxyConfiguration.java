package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.app.ProxyConfigurationSource;
import io.fairlead.proxy.config.ProxyConfiguration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// What the flags of `up` say about its proxy.
///
/// @param mode the value of `--proxy-mode`; empty when it is not given
/// @param strict whether a mode that cannot be had ends the start
/// @param node the name of the node
/// @param pods the ranges of all pods, the widest of a family first
record UpProxyConfiguration(Optional<String> mode, boolean strict, String node, List<Cidr> pods)
    implements ProxyConfigurationSource {
  UpProxyConfiguration {
    pods = List.copyOf(pods);
  }

  /// What is served for this machine alone listens on loopback alone, and the kernel's table of
  /// connections stays as it is: a machine of its own user needs no larger one, and what is not set
  /// need not be put back.
  @Override
  public ProxyConfiguration get() {
    ObjectNode tree =
        Json.object()
            .put("apiVersion", ProxyConfiguration.API_VERSION)
            .put("kind", ProxyConfiguration.KIND);
    return ProxyConfiguration.of(fill(tree, true));
  }

  @Override
  public ProxyConfiguration over(ProxyConfiguration kept) {
    return ProxyConfiguration.of(fill(kept.tree(), false));
  }

  @Override
  public boolean namesMode() {
    return mode.isPresent();
  }

  private ObjectNode fill(ObjectNode tree, boolean all) {
    if (all || mode.isPresent()) {
      tree.put("mode", mode.filter(name -> !name.equals("auto")).orElse(""));
    }
    if (all || strict) {
      Json.child(tree, "ipvs").put("fallback", strict ? "fail" : "iptables");
    }
    tree.put("hostnameOverride", node);
    tree.put("clusterCIDR", ranges());
    tree.put("healthzBindAddress", "127.0.0.1:10256");
    tree.put("metricsBindAddress", "127.0.0.1:10249");
    Json.child(tree, "conntrack")
        .put("maxPerCore", 0)
        .put("min", 0)
        .put("tcpEstablishedTimeout", "0s")
        .put("tcpCloseWaitTimeout", "0s");
    return tree;
  }

  private String ranges() {
    return pods.stream()
        .collect(Collectors.toMap(Cidr::family, range -> range, (first, _) -> first))
        .values()
        .stream()
        .sorted((one, other) -> one.family().compareTo(other.family()))
        .map(Cidr::toString)
        .collect(Collectors.joining(","));
  }
}
