package io.fairlead.api.loadbalancer;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelRequirement;
import io.fairlead.api.selector.LabelSelector;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes the pools that are in force so that [PoolFileReader] reads the same: for the nodes, which
/// announce, and for people. Only what announcers need of a pool; of a peer's password the name of
/// its Secret.
public final class PoolFileWriter {
  private PoolFileWriter() {}

  /// JSON, which is YAML too.
  public static String write(LoadBalancerPools pools) {
    ObjectNode document = Json.object();
    ArrayNode all = document.putArray("pools");
    for (LoadBalancerPool pool : pools.usable()) {
      ObjectNode one = all.addObject().put("name", pool.name());
      ArrayNode addresses = one.putArray("addresses");
      pool.ranges().forEach(range -> addresses.add(range.toString()));
      one.put("announce", pool.announcement().word());
      one.put("priority", pool.priority());
      if (!pool.autoAssign()) {
        one.put("autoAssign", false);
      }
      if (pool.avoidEdgeAddresses()) {
        one.put("avoidEdgeAddresses", true);
      }
      if (!pool.interfaces().isEmpty()) {
        ArrayNode interfaces = one.putArray("interfaces");
        pool.interfaces().forEach(interfaces::add);
      }
      if (!pool.nodeSelector().isEmpty()) {
        one.set("nodeSelector", selector(pool.nodeSelector()));
      }
      if (pool.announcement() == LoadBalancerPool.Announcement.BGP) {
        bgp(one, pool.bgp());
      }
    }
    if (!pools.peers().isEmpty()) {
      ArrayNode peers = document.putArray("peers");
      pools.peers().forEach(peer -> peers.add(peer(peer)));
    }
    return new String(Json.bytes(document), StandardCharsets.UTF_8);
  }

  private static void bgp(ObjectNode pool, LoadBalancerPool.Bgp bgp) {
    if (bgp.ipv4Length() < LoadBalancerPool.Bgp.DEFAULT.ipv4Length()) {
      pool.put("aggregation", bgp.ipv4Length());
    } else if (bgp.ipv6Length() < LoadBalancerPool.Bgp.DEFAULT.ipv6Length()) {
      pool.put("aggregation", bgp.ipv6Length());
    }
    if (!bgp.peers().isEmpty()) {
      ArrayNode names = pool.putArray("peers");
      bgp.peers().forEach(names::add);
    }
  }

  private static ObjectNode peer(BgpPeer peer) {
    ObjectNode one = Json.object().put("name", peer.name());
    one.put("address", peer.address().toString());
    one.put("asn", peer.asn()).put("myAsn", peer.myAsn());
    if (!peer.passwordSecret().isEmpty()) {
      one.put("password", peer.passwordSecret());
    }
    one.put("holdTime", peer.holdSeconds()).put("keepaliveTime", peer.keepaliveSeconds());
    one.put("bfd", peer.bfd());
    if (!peer.nodeSelector().isEmpty()) {
      one.set("nodeSelector", selector(peer.nodeSelector()));
    }
    one.put("ebgpMultihop", peer.ebgpMultihop());
    ArrayNode communities = one.putArray("communities");
    peer.communities().forEach(community -> communities.add(community.toString()));
    return one.put("localPref", peer.localPref());
  }

  private static ObjectNode selector(LabelSelector selector) {
    ObjectNode node = Json.object();
    ArrayNode expressions = node.putArray("matchExpressions");
    for (LabelRequirement requirement : selector.requirements()) {
      ObjectNode one = expressions.addObject().put("key", requirement.key());
      one.put(
          "operator",
          switch (requirement.operator()) {
            case EXISTS -> "Exists";
            case DOES_NOT_EXIST -> "DoesNotExist";
            case NOT_IN, NOT_EQUALS -> "NotIn";
            // The object form of selectors, which pools have, cannot compare numbers.
            case EQUALS, DOUBLE_EQUALS, IN, GREATER, LESS -> "In";
          });
      ArrayNode values = one.putArray("values");
      requirement.values().forEach(values::add);
    }
    return node;
  }
}
