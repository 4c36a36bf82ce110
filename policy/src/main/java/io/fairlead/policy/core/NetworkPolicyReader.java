package io.fairlead.policy.core;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.client.ObjectMeta;
import io.fairlead.policy.core.NetworkPolicy.InvalidEntry;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads a policy from any API server, also one that has neither defaulted nor validated it. An
/// entry that cannot be understood matches nothing; the rest of the policy holds. It never matches
/// everything: a mistake must not open a pod.
public final class NetworkPolicyReader {
  private final String namespace;
  private final List<InvalidEntry> invalid = new ArrayList<>();

  private NetworkPolicyReader(String namespace) {
    this.namespace = namespace;
  }

  public static NetworkPolicy read(ObjectNode object) {
    ObjectMeta metadata = Metadata.slim(object);
    return new NetworkPolicyReader(metadata.namespace()).policy(metadata, object.path("spec"));
  }

  private NetworkPolicy policy(ObjectMeta metadata, JsonNode spec) {
    Optional<Selector> pods = Selector.of(spec.path("podSelector"));
    if (pods.isEmpty()) {
      invalid("spec.podSelector", "unknown operator or no values");
    }
    List<NetworkPolicyRule> ingress = rules(spec.path("ingress"), "spec.ingress", "from");
    List<NetworkPolicyRule> egress = rules(spec.path("egress"), "spec.egress", "to");
    Set<Direction> types = types(spec.path("policyTypes"), egress);
    long size = PolicySize.of(ingress, egress);
    if (size > PolicySize.MOST) {
      // It isolates as it says; what it would allow costs every other policy of the node too much.
      invalid.clear();
      invalid(
          NetworkPolicy.InvalidEntry.WHOLE,
          "%d or more entries, at most %d are taken: it isolates and allows nothing"
              .formatted(size, PolicySize.MOST));
      return new NetworkPolicy(metadata, pods, types, List.of(), List.of(), invalid);
    }
    return new NetworkPolicy(metadata, pods, types, ingress, egress, invalid);
  }

  private static Set<Direction> types(JsonNode listed, List<NetworkPolicyRule> egress) {
    Set<Direction> types = EnumSet.noneOf(Direction.class);
    if (listed.isEmpty()) {
      types.add(Direction.INGRESS);
      if (!egress.isEmpty()) {
        types.add(Direction.EGRESS);
      }
      return types;
    }
    for (JsonNode type : listed) {
      switch (type.asString("")) {
        case "Ingress" -> types.add(Direction.INGRESS);
        case "Egress" -> types.add(Direction.EGRESS);
        default -> {}
      }
    }
    return types;
  }

  private List<NetworkPolicyRule> rules(JsonNode list, String path, String peersField) {
    List<NetworkPolicyRule> rules = new ArrayList<>();
    for (JsonNode rule : list) {
      String at = path + "[" + rules.size() + "]";
      rules.add(
          new NetworkPolicyRule(
              peers(rule.path(peersField), at + "." + peersField),
              ports(rule.path("ports"), at + ".ports")));
    }
    return rules;
  }

  private List<PolicyPeer> peers(JsonNode list, String path) {
    if (!isAbsent(list) && !list.isArray()) {
      invalid(path, "not a list");
      return List.of(new PolicyPeer.Nothing());
    }
    if (list.isEmpty()) {
      return List.of(new PolicyPeer.Anyone());
    }
    List<PolicyPeer> peers = new ArrayList<>();
    for (JsonNode peer : list) {
      peers.add(peer(peer, path + "[" + peers.size() + "]"));
    }
    return peers;
  }

  private PolicyPeer peer(JsonNode peer, String path) {
    boolean pods = peer.path("podSelector").isObject();
    boolean namespaces = peer.path("namespaceSelector").isObject();
    boolean block = peer.path("ipBlock").isObject();
    if (block ? pods || namespaces : !pods && !namespaces) {
      invalid(path, block ? "an ipBlock and a selector" : "neither a selector nor an ipBlock");
      return new PolicyPeer.Nothing();
    }
    if (block) {
      return block(peer.path("ipBlock"), path + ".ipBlock");
    }
    Optional<Selector> podSelector = Selector.of(peer.path("podSelector"));
    Optional<Selector> namespaceSelector = Selector.of(peer.path("namespaceSelector"));
    if (podSelector.isEmpty() || namespaceSelector.isEmpty()) {
      invalid(path, "a selector has an unknown operator or no values");
      return new PolicyPeer.Nothing();
    }
    if (!namespaces) {
      return new PolicyPeer.Pods(Optional.of(namespace), Selector.EVERYTHING, podSelector.get());
    }
    return namespaceSelector.get().isEverything() && podSelector.get().isEverything()
        ? new PolicyPeer.AllPods()
        : new PolicyPeer.Pods(Optional.empty(), namespaceSelector.get(), podSelector.get());
  }

  private PolicyPeer block(JsonNode block, String path) {
    Cidr cidr = cidr(Json.textOr(block, "", "cidr"));
    if (cidr == null) {
      invalid(path + ".cidr", "not a CIDR");
      return new PolicyPeer.Nothing();
    }
    List<Cidr> excepts = new ArrayList<>();
    for (JsonNode text : block.path("except")) {
      Cidr except = cidr(text.asString(""));
      if (except == null || !cidr.overlaps(except)) {
        invalid(path + ".except", text.asString("") + " is not inside " + cidr);
        return new PolicyPeer.Nothing();
      }
      excepts.add(except);
    }
    return new PolicyPeer.Block(cidr, excepts.stream().sorted().distinct().toList());
  }

  private static @org.jspecify.annotations.Nullable Cidr cidr(String text) {
    Cidr cidr = Cidr.parseOrNull(text);
    return cidr == null || cidr.address().isIpv4Mapped() ? null : cidr.masked();
  }

  private List<PolicyPort> ports(JsonNode list, String path) {
    if (!isAbsent(list) && !list.isArray()) {
      invalid(path, "not a list");
      return List.of(new PolicyPort.Nothing());
    }
    if (list.isEmpty()) {
      return List.of(new PolicyPort.Everything());
    }
    List<PolicyPort> ports = new ArrayList<>();
    for (JsonNode port : list) {
      ports.add(port(port, path + "[" + ports.size() + "]"));
    }
    return ports;
  }

  private PolicyPort port(JsonNode entry, String path) {
    JsonNode named = entry.path("protocol");
    Optional<IpProtocol> protocol =
        isAbsent(named) ? Optional.of(IpProtocol.TCP) : IpProtocol.of(named.asString(""));
    if (protocol.isEmpty()) {
      return invalidPort(path, "unknown protocol");
    }
    JsonNode port = entry.path("port");
    JsonNode end = entry.path("endPort");
    if (isAbsent(port)) {
      return isAbsent(end)
          ? new PolicyPort.Range(protocol.get(), 0, PolicyPort.LAST)
          : invalidPort(path, "endPort without a port");
    }
    if (port.isString()) {
      return isAbsent(end)
          ? new PolicyPort.Named(new PortName(port.stringValue(), protocol.get()))
          : invalidPort(path, "endPort with a named port");
    }
    int first = number(port);
    int last = isAbsent(end) ? first : number(end);
    return first < 0 || last < first
        ? invalidPort(path, "a port is out of range")
        : new PolicyPort.Range(protocol.get(), first, last);
  }

  private static boolean isAbsent(JsonNode node) {
    return node.isMissingNode() || node.isNull();
  }

  /// The number, or -1 when it is no port.
  private static int number(JsonNode node) {
    return node.isIntegralNumber() && node.longValue() >= 1 && node.longValue() <= PolicyPort.LAST
        ? (int) node.longValue()
        : -1;
  }

  private PolicyPort invalidPort(String path, String why) {
    invalid(path, why);
    return new PolicyPort.Nothing();
  }

  private void invalid(String path, String why) {
    invalid.add(new InvalidEntry(path, why));
  }
}
