package io.fairlead.policy.core;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Would this policy cut my Service off? What other policies would change, before they are applied:
/// which sources reach which pods on which ports now and not then, or then and not now, and why.
/// Pure; costs a decision for each source and target, before and after.
public final class PolicySimulation {
  /// More addresses of one kind are not tried.
  private static final int MOST_OUTSIDE = 64;

  /// Addresses kept for documentation: they stand for clients that no policy names.
  private static final List<IpAddress> ANYBODY =
      List.of(IpAddress.parse("203.0.113.1"), IpAddress.parse("2001:db8::1"));

  /// A pod behind a Service.
  ///
  /// @param port the pod's own, which is what policies see
  /// @param fromOutside whether others than pods call the Service: it has a node port, or an
  ///   address outside of the cluster's
  public record Target(
      ObjectKey service,
      PolicyPod pod,
      IpAddress address,
      int protocol,
      int port,
      boolean fromOutside) {}

  /// A connection that is judged otherwise.
  ///
  /// @param client the pod that has the source's address; empty for another address
  /// @param before which policies decide now
  /// @param after which would
  public record Change(
      IpAddress source,
      Optional<PolicyPod> client,
      Target target,
      ConnectionExplanation before,
      ConnectionExplanation after) {
    /// Whether it passes now and would not; otherwise it is the other way round.
    public boolean isCut() {
      return before.isAllowed();
    }
  }

  /// Who calls.
  ///
  /// @param pod empty for a client outside of the cluster
  public record Caller(Optional<ObjectKey> pod, IpAddress address) {
    @Override
    public String toString() {
      return pod.map(ObjectKey::toString).orElseGet(address::toString);
    }
  }

  /// @param cut clients that reach it now and would not any more, each with why
  /// @param opened clients that do not reach it now and would
  /// @param kept how many reach it now and still would
  public record Effect(Target target, List<Loss> cut, List<Caller> opened, int kept) {
    public Effect {
      cut = List.copyOf(cut);
      opened = List.copyOf(opened);
    }
  }

  /// A client that would be cut off.
  public record Loss(Caller client, ConnectionExplanation why) {}

  private PolicySimulation() {}

  /// Every pod behind every port of a Service with a selector, terminated pods aside. A port with a
  /// name has the number it has in each pod.
  ///
  /// @param service as the API has it
  public static List<Target> targets(ObjectNode service, Collection<PolicyPod> pods) {
    JsonNode selector = service.path("spec").path("selector");
    ObjectKey key = ObjectKey.of(service);
    boolean fromOutside =
        !Json.textOr(service, "ClusterIP", "spec", "type").equals("ClusterIP")
            || !service.at("/spec/externalIPs").isEmpty();
    List<Target> targets = new ArrayList<>();
    for (PolicyPod pod : pods) {
      if (!selector.isEmpty()
          && pod.namespace().equals(key.namespace())
          && selector.properties().stream()
              .allMatch(
                  one -> one.getValue().asString("").equals(pod.labels().get(one.getKey())))) {
        for (JsonNode port : service.path("spec").path("ports")) {
          add(targets, key, pod, port, fromOutside);
        }
      }
    }
    return targets;
  }

  private static void add(
      List<Target> targets, ObjectKey service, PolicyPod pod, JsonNode port, boolean fromOutside) {
    Optional<IpProtocol> protocol = IpProtocol.of(Json.textOr(port, "TCP", "protocol"));
    if (protocol.isEmpty()) {
      return;
    }
    JsonNode target = port.path("targetPort");
    Set<Integer> numbers = new TreeSet<>();
    if (target.isString()) {
      numbers.addAll(
          pod.ports()
              .getOrDefault(new PortName(target.asString(), protocol.get()), new TreeSet<>()));
    } else {
      int number = target.asInt(0);
      numbers.add(number == 0 ? port.path("port").asInt(0) : number);
    }
    for (IpAddress.Family family : IpAddress.Family.values()) {
      pod.address(family)
          .ifPresent(
              address ->
                  numbers.forEach(
                      number ->
                          targets.add(
                              new Target(
                                  service,
                                  pod,
                                  address,
                                  protocol.get().number(),
                                  number,
                                  fromOutside))));
    }
  }

  /// Every connection from a pod, or from one of some other addresses, to a target that is judged
  /// otherwise with the changed objects, in the order of targets.
  ///
  /// @param outside clients that are no pods
  /// @param targets by the objects before, see [#targets]
  public static List<Change> changes(
      PolicyObjects before,
      PolicyObjects after,
      Collection<IpAddress> outside,
      Collection<Target> targets) {
    Oracle now = before.oracle();
    Oracle then = after.oracle();
    Set<IpAddress> sources = new LinkedHashSet<>();
    for (PolicyPod pod : before.pods()) {
      for (IpAddress.Family family : IpAddress.Family.values()) {
        pod.address(family).ifPresent(sources::add);
      }
    }
    sources.addAll(outside);
    List<Change> changes = new ArrayList<>();
    for (Target target : targets) {
      for (IpAddress source : sources) {
        if (source.family() == target.address().family()
            && allowed(now, source, target) != allowed(then, source, target)) {
          changes.add(
              new Change(
                  source,
                  now.pod(source),
                  target,
                  explain(now, source, target),
                  explain(then, source, target)));
        }
      }
    }
    return changes;
  }

  private static ConnectionExplanation explain(Oracle oracle, IpAddress source, Target target) {
    return oracle.explain(source, target.address(), target.protocol(), target.port());
  }

  /// Clients outside of the cluster that policies may tell apart: anybody, and one of each block
  /// that some rule names or excepts.
  ///
  /// @param inside addresses of pods and nodes, which are no such clients
  public static List<IpAddress> outside(
      Collection<NetworkPolicy> policies, Predicate<IpAddress> inside) {
    Set<IpAddress> found = new LinkedHashSet<>(ANYBODY);
    for (NetworkPolicy policy : policies) {
      for (NetworkPolicyRule rule : policy.rules(Direction.INGRESS)) {
        for (PolicyPeer peer : rule.peers()) {
          if (peer instanceof PolicyPeer.Block(Cidr cidr, List<Cidr> excepts)) {
            found.add(cidr.at(0));
            excepts.forEach(except -> found.add(except.at(0)));
          }
        }
      }
    }
    return found.stream().filter(inside.negate()).limit(MOST_OUTSIDE).toList();
  }

  /// The targets for which anything changes.
  ///
  /// @param before over the policies that are
  /// @param after over those that would be
  /// @param outside clients that are no pods, see [#outside]: they call where a target is called
  ///   from outside
  public static List<Effect> compare(
      Oracle before,
      Oracle after,
      Collection<PolicyPod> clients,
      Collection<IpAddress> outside,
      List<Target> targets) {
    List<Effect> effects = new ArrayList<>();
    for (Target target : targets) {
      List<Loss> cut = new ArrayList<>();
      List<Caller> opened = new ArrayList<>();
      int kept = 0;
      for (Caller client : callers(target, clients, outside)) {
        boolean now = allowed(before, client.address(), target);
        boolean then = allowed(after, client.address(), target);
        if (now && !then) {
          cut.add(new Loss(client, explain(after, client.address(), target)));
        } else if (then && !now) {
          opened.add(client);
        } else if (then) {
          kept++;
        }
      }
      if (!cut.isEmpty() || !opened.isEmpty()) {
        effects.add(new Effect(target, cut, opened, kept));
      }
    }
    return effects;
  }

  private static List<Caller> callers(
      Target target, Collection<PolicyPod> clients, Collection<IpAddress> outside) {
    List<Caller> callers = new ArrayList<>();
    for (PolicyPod client : clients) {
      if (!client.key().equals(target.pod().key())) {
        client
            .address(target.address().family())
            .ifPresent(address -> callers.add(new Caller(Optional.of(client.key()), address)));
      }
    }
    if (target.fromOutside()) {
      outside.stream()
          .filter(address -> address.family() == target.address().family())
          .forEach(address -> callers.add(new Caller(Optional.empty(), address)));
    }
    return callers;
  }

  private static boolean allowed(Oracle oracle, IpAddress source, Target target) {
    return oracle.decide(source, target.address(), target.protocol(), target.port()).isAllowed();
  }
}
