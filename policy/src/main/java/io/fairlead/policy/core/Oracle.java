package io.fairlead.policy.core;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Decides about one connection, rule by rule as section 2 of the specification says it. It is the
/// reference for the plan, with which it shares no code, and it knows the reasons.
///
/// Immutable over what it was made from; used by one thread at a time, since it remembers which
/// policies apply to a pod.
public final class Oracle {
  /// What a node knows besides the objects.
  ///
  /// @param name whose pods are judged by [#decideHere]
  /// @param addresses all of the machine
  /// @param podRanges where every address must be a known pod; none for no gate
  public record Node(String name, Set<IpAddress> addresses, List<Cidr> podRanges) {
    public Node {
      addresses = Set.copyOf(addresses);
      podRanges = List.copyOf(podRanges);
    }
  }

  private final Map<String, Map<String, String>> namespaces = new HashMap<>();
  private final Map<IpAddress, PolicyPod> pods = new HashMap<>();
  private final Map<String, List<NetworkPolicy>> policies = new HashMap<>();
  // By the object itself: a pod's value is long to compare, and connections ask for it again and
  // again.
  private final Map<Direction, Map<PolicyPod, List<NetworkPolicy>>> applied =
      new EnumMap<>(Direction.class);
  private final Node node;

  public Oracle(
      Node node,
      Collection<PolicyNamespace> namespaces,
      Collection<PolicyPod> pods,
      Collection<NetworkPolicy> policies) {
    this.node = node;
    for (Direction direction : Direction.values()) {
      applied.put(direction, new IdentityHashMap<>());
    }
    for (PolicyNamespace namespace : namespaces) {
      this.namespaces.put(namespace.name(), namespace.labels());
    }
    for (PolicyPod pod : pods) {
      for (IpAddress.Family family : IpAddress.Family.values()) {
        pod.address(family)
            .filter(address -> !node.addresses().contains(address))
            .ifPresent(address -> this.pods.merge(address, pod, Oracle::winner));
      }
    }
    policies.stream()
        .sorted((a, b) -> a.key().toString().compareTo(b.key().toString()))
        .forEach(
            policy ->
                this.policies
                    .computeIfAbsent(policy.namespace(), _ -> new ArrayList<>())
                    .add(policy));
  }

  private static PolicyPod winner(PolicyPod one, PolicyPod other) {
    return PolicyPod.CLAIM.compare(one, other) >= 0 ? one : other;
  }

  /// The pod that has an address.
  public Optional<PolicyPod> pod(IpAddress address) {
    return Optional.ofNullable(pods.get(address));
  }

  /// `x/a` of the pod that has an address, otherwise the address.
  public String name(IpAddress address) {
    PolicyPod pod = pods.get(address);
    return pod == null ? address.toString() : pod.key().toString();
  }

  /// What all nodes together say about a connection.
  ///
  /// @param protocol the number in the IP header
  /// @param port of the destination, after translation; without meaning for other protocols than
  ///   those of [IpProtocol]
  public Decision decide(IpAddress source, IpAddress destination, int protocol, int port) {
    return decide(new Connection(source, destination, protocol, port), false);
  }

  /// What this node alone says: it judges only its own pods, and lets no unknown address of its pod
  /// ranges send or receive.
  public Decision decideHere(IpAddress source, IpAddress destination, int protocol, int port) {
    return decide(new Connection(source, destination, protocol, port), true);
  }

  /// Which policies decide about a connection, on all nodes together, with every rule that lets it
  /// pass. Says what [#decide] says, with more evidence and at more cost.
  public ConnectionExplanation explain(
      IpAddress source, IpAddress destination, int protocol, int port) {
    Connection connection = new Connection(source, destination, protocol, port);
    ConnectionExplanation.Basis basis = basis(connection);
    List<ConnectionExplanation.End> ends = new ArrayList<>();
    if (basis == ConnectionExplanation.Basis.POLICIES) {
      for (Direction direction : Direction.values()) {
        ends.add(end(connection, direction));
      }
    }
    return new ConnectionExplanation(source, destination, protocol, port, basis, ends);
  }

  private ConnectionExplanation.Basis basis(Connection connection) {
    if (node.addresses().contains(connection.source())
        || node.addresses().contains(connection.destination())) {
      return ConnectionExplanation.Basis.OWN_NODE;
    }
    return connection.source().equals(connection.destination())
            && pods.containsKey(connection.source())
        ? ConnectionExplanation.Basis.SAME_POD
        : ConnectionExplanation.Basis.POLICIES;
  }

  private ConnectionExplanation.End end(Connection connection, Direction direction) {
    IpAddress own = direction == Direction.EGRESS ? connection.source() : connection.destination();
    PolicyPod pod = pods.get(own);
    List<NetworkPolicy> isolating = pod == null ? List.of() : applying(pod, direction);
    List<Decision.RuleReference> allowing = new ArrayList<>();
    for (NetworkPolicy policy : isolating) {
      for (int i = 0; i < policy.rules(direction).size(); i++) {
        Decision.RuleReference rule = allowing(connection, direction, policy, i);
        if (rule != null) {
          allowing.add(rule);
        }
      }
    }
    Decision.Denied denied =
        pod == null || isolating.isEmpty() || !allowing.isEmpty()
            ? null
            : denied(connection, direction, pod, isolating);
    return new ConnectionExplanation.End(
        direction,
        own,
        Optional.ofNullable(pod),
        isolating.stream().map(NetworkPolicy::key).toList(),
        allowing,
        denied == null ? Optional.empty() : denied.nearest(),
        denied != null && denied.samePeer());
  }

  /// The policies that isolate a pod in a direction; none when it is open or has no address.
  public List<ObjectKey> isolating(PolicyPod pod, Direction direction) {
    return applying(pod, direction).stream().map(NetworkPolicy::key).toList();
  }

  /// Whether a policy isolates the local pod with that address.
  public boolean isIsolatedHere(IpAddress address) {
    PolicyPod pod = pods.get(address);
    return pod != null
        && pod.node().equals(node.name())
        && (!applying(pod, Direction.EGRESS).isEmpty()
            || !applying(pod, Direction.INGRESS).isEmpty());
  }

  private record Connection(IpAddress source, IpAddress destination, int protocol, int port) {
    IpAddress peer(Direction direction) {
      return direction == Direction.EGRESS ? destination : source;
    }
  }

  private Decision decide(Connection connection, boolean here) {
    if (basis(connection) != ConnectionExplanation.Basis.POLICIES) {
      return new Decision.Allowed(List.of());
    }
    List<Decision.RuleReference> by = new ArrayList<>();
    for (Direction direction : Direction.values()) {
      IpAddress own =
          direction == Direction.EGRESS ? connection.source() : connection.destination();
      PolicyPod pod = pods.get(own);
      if (here && (pod == null || !pod.node().equals(node.name()))) {
        if (node.podRanges().stream().anyMatch(range -> range.contains(own))) {
          return new Decision.Unknown(own);
        }
        continue;
      }
      if (pod == null) {
        continue;
      }
      List<NetworkPolicy> isolating = applying(pod, direction);
      if (isolating.isEmpty()) {
        continue;
      }
      Decision.RuleReference rule = allowing(connection, direction, isolating);
      if (rule == null) {
        return denied(connection, direction, pod, isolating);
      }
      by.add(rule);
    }
    return new Decision.Allowed(by);
  }

  private List<NetworkPolicy> applying(PolicyPod pod, Direction direction) {
    return Objects.requireNonNull(applied.get(direction))
        .computeIfAbsent(
            pod,
            _ ->
                policies.getOrDefault(pod.namespace(), List.of()).stream()
                    .filter(policy -> policy.types().contains(direction))
                    .filter(
                        policy ->
                            policy.podSelector().isPresent()
                                && policy.podSelector().get().matches(pod.labels()))
                    .toList());
  }

  private Decision.@Nullable RuleReference allowing(
      Connection connection, Direction direction, List<NetworkPolicy> isolating) {
    for (NetworkPolicy policy : isolating) {
      for (int i = 0; i < policy.rules(direction).size(); i++) {
        Decision.RuleReference rule = allowing(connection, direction, policy, i);
        if (rule != null) {
          return rule;
        }
      }
    }
    return null;
  }

  private Decision.@Nullable RuleReference allowing(
      Connection connection, Direction direction, NetworkPolicy policy, int number) {
    NetworkPolicyRule rule = policy.rules(direction).get(number);
    int peer = matchingPeer(rule, connection.peer(direction));
    int port = peer < 0 ? -1 : matchingPort(rule, connection);
    return port < 0 ? null : new Decision.RuleReference(policy, direction, number, peer, port);
  }

  private Decision.Denied denied(
      Connection connection, Direction direction, PolicyPod pod, List<NetworkPolicy> isolating) {
    List<ObjectKey> names = isolating.stream().map(NetworkPolicy::key).toList();
    Decision.RuleReference samePort = null;
    for (NetworkPolicy policy : isolating) {
      List<NetworkPolicyRule> rules = policy.rules(direction);
      for (int i = 0; i < rules.size(); i++) {
        int peer = matchingPeer(rules.get(i), connection.peer(direction));
        if (peer >= 0) {
          return new Decision.Denied(
              direction,
              pod,
              names,
              Optional.of(new Decision.RuleReference(policy, direction, i, peer, 0)),
              true);
        }
        int port = matchingPort(rules.get(i), connection);
        if (port >= 0 && samePort == null) {
          samePort = new Decision.RuleReference(policy, direction, i, 0, port);
        }
      }
    }
    return new Decision.Denied(direction, pod, names, Optional.ofNullable(samePort), false);
  }

  private int matchingPeer(NetworkPolicyRule rule, IpAddress address) {
    for (int i = 0; i < rule.peers().size(); i++) {
      if (matches(rule.peers().get(i), address)) {
        return i;
      }
    }
    return -1;
  }

  private boolean matches(PolicyPeer peer, IpAddress address) {
    PolicyPod pod = pods.get(address);
    return switch (peer) {
      case PolicyPeer.Anyone() -> true;
      case PolicyPeer.Nothing() -> false;
      case PolicyPeer.AllPods() -> pod != null;
      case PolicyPeer.Block(Cidr cidr, List<Cidr> excepts) ->
          cidr.contains(address) && excepts.stream().noneMatch(e -> e.contains(address));
      case PolicyPeer.Pods(Optional<String> namespace, Selector inNamespaces, Selector labels) ->
          pod != null
              && labels.matches(pod.labels())
              && namespace
                  .map(pod.namespace()::equals)
                  .orElseGet(() -> inNamespaces.matches(labelsOf(pod.namespace())));
    };
  }

  private Map<String, String> labelsOf(String namespace) {
    Map<String, String> labels = namespaces.get(namespace);
    return labels == null ? PolicyNamespace.unseen(namespace) : labels;
  }

  private int matchingPort(NetworkPolicyRule rule, Connection connection) {
    for (int i = 0; i < rule.ports().size(); i++) {
      if (matches(rule.ports().get(i), connection)) {
        return i;
      }
    }
    return -1;
  }

  private boolean matches(PolicyPort port, Connection connection) {
    return switch (port) {
      case PolicyPort.Everything() -> true;
      case PolicyPort.Nothing() -> false;
      case PolicyPort.Range(IpProtocol protocol, int first, int last) ->
          protocol.number() == connection.protocol()
              && first <= connection.port()
              && connection.port() <= last;
      case PolicyPort.Named(PortName name) ->
          name.protocol().number() == connection.protocol()
              && numbers(name, connection.destination()).contains(connection.port());
    };
  }

  /// The numbers a name has in the pod with that address.
  private SortedSet<Integer> numbers(PortName name, IpAddress destination) {
    PolicyPod pod = pods.get(destination);
    SortedSet<Integer> numbers = pod == null ? null : pod.ports().get(name);
    return numbers == null ? new TreeSet<>() : numbers;
  }
}
