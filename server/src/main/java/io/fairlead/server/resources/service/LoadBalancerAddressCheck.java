package io.fairlead.server.resources.service;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resources.kind.Problems;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Keeps balancers from standing for what the cluster itself is made of.
///
/// Every node sends what goes to an address of a balancer to the Service's pods. A user who may
/// write the status of a Service could so take the place of a node, a pod, another Service or an
/// API server (CVE-2020-8554). What belongs to the cluster is read from its objects: the addresses
/// and pod ranges of Nodes, the ranges of ServiceCIDRs, the endpoints of `default/kubernetes`. A
/// pod outside the ranges of its node is not seen.
final class LoadBalancerAddressCheck {
  private static final String INGRESS = "/status/loadBalancer/ingress";

  private LoadBalancerAddressCheck() {}

  /// Looks at the addresses that the status has and had not before.
  static void check(ObjectNode service, ObjectNode old, ClusterReader reader, Problems problems) {
    Set<String> before = new HashSet<>();
    old.at(INGRESS).forEach(one -> before.add(one.path("ip").asString("")));
    List<Owned> owned = null;
    int index = 0;
    for (JsonNode one : service.at(INGRESS)) {
      String text = one.path("ip").asString("");
      IpAddress address = IpAddress.parseOrNull(text);
      if (address != null && !before.contains(text)) {
        owned = owned == null ? owned(reader) : owned;
        String owner = owner(address, owned);
        if (owner != null) {
          problems.invalid(
              "status.loadBalancer.ingress[" + index + "].ip",
              text,
              "belongs to "
                  + owner
                  + "; a balancer may take it only where the API server runs with"
                  + " --allow-load-balancer-cluster-addresses=true");
        }
      }
      index++;
    }
  }

  /// A range of addresses and whose it is.
  private record Owned(Cidr range, String owner) {}

  private static @Nullable String owner(IpAddress address, List<Owned> owned) {
    for (Owned each : owned) {
      if (each.range().family() == address.family() && each.range().contains(address)) {
        return each.owner();
      }
    }
    return null;
  }

  private static List<Owned> owned(ClusterReader reader) {
    List<Owned> owned = new ArrayList<>();
    for (ObjectNode node : reader.list("", "nodes", "")) {
      String name = node.at("/metadata/name").asString("");
      for (JsonNode address : node.at("/status/addresses")) {
        addAddress(owned, address.path("address"), "node " + name);
      }
      for (JsonNode range : node.at("/spec/podCIDRs")) {
        addRange(owned, range, "the pods of node " + name);
      }
      addRange(owned, node.at("/spec/podCIDR"), "the pods of node " + name);
    }
    for (ObjectNode range : reader.list(ServiceClaims.GROUP, "servicecidrs", "")) {
      for (JsonNode cidr : range.at("/spec/cidrs")) {
        addRange(owned, cidr, "the range of Services " + cidr.asString(""));
      }
    }
    ObjectNode servers = reader.get("", "endpoints", "default", "kubernetes");
    if (servers != null) {
      for (JsonNode subset : servers.path("subsets")) {
        for (JsonNode address : subset.path("addresses")) {
          addAddress(owned, address.path("ip"), "an API server");
        }
      }
    }
    return owned;
  }

  private static void addAddress(List<Owned> owned, JsonNode text, String owner) {
    IpAddress address = IpAddress.parseOrNull(text.asString(""));
    if (address != null) {
      owned.add(new Owned(new Cidr(address, address.family().bits()), owner));
    }
  }

  private static void addRange(List<Owned> owned, JsonNode text, String owner) {
    Cidr range = Cidr.parseOrNull(text.asString(""));
    if (range != null) {
      owned.add(new Owned(range, owner));
    }
  }
}
