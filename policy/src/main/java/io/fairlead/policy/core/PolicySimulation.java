package io.fairlead.policy.core;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Would this policy cut my Service off? What other policies would change, before they are applied:
/// which sources reach which pods on which ports now and not then, or then and not now, and why.
/// Pure; costs a decision for each source and target, before and after.
public final class PolicySimulation {
  /// A pod behind a Service.
  ///
  /// @param port the pod's own, which is what policies see
  public record Target(
      ObjectKey service, PolicyPod pod, IpAddress address, int protocol, int port) {}

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

  /// @param cut pods that reach it now and would not any more, each with why
  /// @param opened pods that do not reach it now and would
  /// @param kept how many reach it now and still would
  public record Effect(Target target, List<Loss> cut, List<ObjectKey> opened, int kept) {
    public Effect {
      cut = List.copyOf(cut);
      opened = List.copyOf(opened);
    }
  }

  /// A client that would be cut off.
  public record Loss(ObjectKey client, ConnectionExplanation why) {}

  private PolicySimulation() {}

  /// Every pod behind every port of a Service with a selector, terminated pods aside. A port with a
  /// name has the number it has in each pod.
  ///
  /// @param service as the API has it
  public static List<Target> targets(ObjectNode service, Collection<PolicyPod> pods) {
    JsonNode selector = service.path("spec").path("selector");
    ObjectKey key = ObjectKey.of(service);
    List<Target> targets = new ArrayList<>();
    for (PolicyPod pod : pods) {
      if (!selector.isEmpty()
          && pod.namespace().equals(key.namespace())
          && selector.properties().stream()
              .allMatch(
                  one -> one.getValue().asString("").equals(pod.labels().get(one.getKey())))) {
        for (JsonNode port : service.path("spec").path("ports")) {
          add(targets, key, pod, port);
        }
      }
    }
    return targets;
  }

  private static void add(List<Target> targets, ObjectKey service, PolicyPod pod, JsonNode port) {
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
                              new Target(service, pod, address, protocol.get().number(), number))));
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

  /// The targets for which anything changes.
  ///
  /// @param before over the policies that are
  /// @param after over those that would be
  public static List<Effect> compare(
      Oracle before, Oracle after, Collection<PolicyPod> clients, List<Target> targets) {
    List<Effect> effects = new ArrayList<>();
    for (Target target : targets) {
      List<Loss> cut = new ArrayList<>();
      List<ObjectKey> opened = new ArrayList<>();
      int kept = 0;
      for (PolicyPod client : clients) {
        IpAddress source = client.address(target.address().family()).orElse(null);
        if (source == null || client.key().equals(target.pod().key())) {
          continue;
        }
        boolean now = allowed(before, source, target);
        boolean then = allowed(after, source, target);
        if (now && !then) {
          cut.add(new Loss(client.key(), explain(after, source, target)));
        } else if (then && !now) {
          opened.add(client.key());
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

  private static boolean allowed(Oracle oracle, IpAddress source, Target target) {
    return oracle.decide(source, target.address(), target.protocol(), target.port()).isAllowed();
  }
}
