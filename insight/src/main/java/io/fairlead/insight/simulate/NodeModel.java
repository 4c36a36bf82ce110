package io.fairlead.insight.simulate;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.node.NodeFactsBuilder;
import io.fairlead.proxy.node.ProxyNodeObject;
import io.fairlead.proxy.tracking.Planner;
import io.fairlead.proxy.tracking.ServiceObject;
import io.fairlead.proxy.tracking.SliceObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// What the proxy of one node decides: the planner that proxies use, with the facts of that node.
///
/// @param configuration what its proxy works with
/// @param object its Node
public record NodeModel(ProxyMode mode, ProxyConfiguration configuration, ObjectNode object) {

  String name() {
    return ObjectKey.of(object).name();
  }

  /// The same node with a proxy of another mode.
  NodeModel with(ProxyMode other) {
    return new NodeModel(other, configuration, object);
  }

  NodeFacts facts(IpAddress.Family family) {
    ProxyNodeObject node = ProxyNodeObject.of(object);
    List<IpAddress> local = new ArrayList<>(node.addresses());
    local.add(IpAddress.parse("127.0.0.1"));
    local.add(IpAddress.parse("::1"));
    return new NodeFactsBuilder(configuration, mode, name(), local).facts(family, node, List.of());
  }

  Plan plan(IpAddress.Family family, ObjectNode service, List<ObjectNode> slices) {
    Planner planner = new Planner(facts(family), Instant.EPOCH);
    boolean _ = planner.put(ServiceObject.of(service));
    for (ObjectNode slice : slices) {
      boolean _ = planner.put(SliceObject.of(slice));
    }
    return planner.plan().plan();
  }
}
