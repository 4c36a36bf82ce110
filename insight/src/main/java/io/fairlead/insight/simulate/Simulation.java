package io.fairlead.insight.simulate;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.controller.serving.Service;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.simulate.ServiceEffect.SliceEffect;
import io.fairlead.proxy.core.ProxyMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.node.ObjectNode;

/// Thinks changes through. Pure: it works on copies, with the functions that the controllers and
/// proxies decide with.
///
/// How it works: the changes are applied to a copy of the objects; the packing of the EndpointSlice
/// controller says which slices follow; the planner of the proxies says for each node what its
/// rules would be; the judges of `explain` and the oracle of policies say what would be wrong. What
/// is shown is the difference to what is now.
///
/// @param objects as they are
/// @param nodes those with a proxy that lives
/// @param planning how slices follow
/// @param flows open connections, the document `NodeFlows` of each node that was asked
/// @param now when it would happen
public record Simulation(
    ClusterObjects objects,
    List<NodeModel> nodes,
    SlicePlanning planning,
    Map<String, ObjectNode> flows,
    Instant now) {

  public Simulation {
    nodes = List.copyOf(nodes);
    flows = Map.copyOf(flows);
  }

  /// @param only the Service that is asked about; empty for all
  public SimulationResult run(List<ProposedChange> changes, Optional<ObjectKey> only)
      throws ProposedChange.MissingException {
    ChangedCluster changed = ChangedCluster.of(objects, changes, now);
    Optional<ProxyMode> mode =
        changes.stream()
            .filter(ProposedChange.ModeChanged.class::isInstance)
            .map(change -> ((ProposedChange.ModeChanged) change).mode())
            .reduce((_, last) -> last);
    PolicyEffects policies = PolicyEffects.of(objects, changed.objects());
    Set<ObjectKey> concerned = concerned(changed.objects());
    ClusterObjects then = withSlices(changed.objects(), concerned);
    concerned.addAll(policies.services());
    mode.ifPresent(_ -> concerned.addAll(keys(changed.objects())));
    only.ifPresent(key -> concerned.removeIf(each -> !each.equals(key)));
    Set<String> namespaces = new TreeSet<>();
    concerned.forEach(key -> namespaces.add(key.namespace()));
    ArisingFindings arising = new ArisingFindings(objects, then, namespaces, now);
    TrafficEffects traffic = new TrafficEffects(nodes, mode, changed, ended(changed.gone()), flows);
    Map<ObjectKey, List<ObjectNode>> slicesBefore = objects.slicesByService();
    Map<ObjectKey, List<ObjectNode>> slicesAfter = then.slicesByService();
    List<ServiceEffect> effects = new ArrayList<>();
    for (ObjectKey key : concerned) {
      Optional<ObjectNode> service = then.find("Service", key);
      if (service.isEmpty()) {
        continue;
      }
      List<ObjectNode> was = slicesBefore.getOrDefault(key, List.of());
      List<ObjectNode> will = slicesAfter.getOrDefault(key, List.of());
      TrafficEffects.Outcome outcome =
          traffic.of(objects.find("Service", key), service.get(), was, will);
      List<Finding> findings = new ArrayList<>(arising.of(key));
      findings.addAll(outcome.findings());
      findings.addAll(policies.of(key));
      findings.sort(Finding.GRAVEST_FIRST);
      effects.add(
          new ServiceEffect(
              key,
              ReadyEndpoints.of(was),
              ReadyEndpoints.of(will),
              slices(was, will),
              outcome.shares(),
              outcome.rules(),
              outcome.connections(),
              findings,
              outcome.notes()));
    }
    effects.removeIf(ServiceEffect::isEmpty);
    effects.sort(Comparator.comparing(effect -> effect.key().toString()));
    List<Sentence> notes =
        mode.filter(ProxyMode.USERSPACE::equals)
            .map(_ -> List.of(Sentence.of("simulate.mode.source")))
            .orElse(List.of());
    return new SimulationResult(effects, then.all("Service").size(), changed.ignored(), notes);
  }

  private Set<String> ended(Set<ObjectKey> pods) {
    Set<String> addresses = new HashSet<>();
    for (ObjectKey pod : pods) {
      objects
          .find("Pod", pod)
          .ifPresent(
              each ->
                  each.path("status")
                      .path("podIPs")
                      .forEach(one -> addresses.add(Json.textOr(one, "", "ip"))));
    }
    return addresses;
  }

  private static Set<ObjectKey> keys(ClusterObjects objects) {
    Set<ObjectKey> keys = new LinkedHashSet<>();
    objects.all("Service").forEach(service -> keys.add(ObjectKey.of(service)));
    return keys;
  }

  /// The Services that changed themselves, or of whose pods or slices one did.
  private Set<ObjectKey> concerned(ClusterObjects then) {
    List<ObjectNode> pods = changed(objects, then, "Pod");
    Set<ObjectKey> found = new LinkedHashSet<>();
    changed(objects, then, "Service").forEach(service -> found.add(ObjectKey.of(service)));
    for (ObjectNode slice : changed(objects, then, "EndpointSlice")) {
      found.add(
          new ObjectKey(
              ObjectKey.of(slice).namespace(),
              Json.textOr(slice, "", "metadata", "labels", "kubernetes.io/service-name")));
    }
    for (ObjectNode object : then.all("Service")) {
      Service service = Service.of(object);
      if (pods.stream()
          .anyMatch(
              pod ->
                  ObjectKey.of(pod).namespace().equals(service.key().namespace())
                      && service.selects(labels(pod)))) {
        found.add(service.key());
      }
    }
    return found;
  }

  private static Map<String, String> labels(ObjectNode object) {
    return io.fairlead.client.ObjectMeta.of(object).labels();
  }

  /// Both forms of what differs.
  private static List<ObjectNode> changed(ClusterObjects one, ClusterObjects other, String kind) {
    List<ObjectNode> found = new ArrayList<>();
    Set<ObjectNode> same = java.util.Collections.newSetFromMap(new java.util.IdentityHashMap<>());
    same.addAll(one.all(kind));
    for (ObjectNode object : other.all(kind)) {
      if (!same.remove(object)) {
        found.add(object);
      }
    }
    found.addAll(same);
    return found;
  }

  private ClusterObjects withSlices(ClusterObjects then, Set<ObjectKey> services) {
    Map<ObjectKey, List<ObjectNode>> present = then.slicesByService();
    Map<String, List<ObjectNode>> pods = new LinkedHashMap<>();
    List<ObjectNode> all = then.all("Node");
    ClusterObjects result = then;
    for (ObjectKey key : services) {
      Optional<ObjectNode> service = then.find("Service", key);
      if (service.isEmpty()) {
        continue;
      }
      List<ObjectNode> slices = present.getOrDefault(key, List.of());
      List<ObjectNode> members =
          pods.computeIfAbsent(key.namespace(), each -> then.all("Pod", each));
      List<ObjectNode> will = planning.after(service.get(), members, all, slices);
      Set<ObjectKey> names = new HashSet<>();
      for (ObjectNode slice : will) {
        ObjectKey name = ObjectKey.of(slice);
        names.add(name);
        if (then.find("EndpointSlice", name).filter(slice::equals).isEmpty()) {
          result = result.with(slice);
        }
      }
      for (ObjectNode slice : slices) {
        if (!names.contains(ObjectKey.of(slice))) {
          result = result.without("EndpointSlice", ObjectKey.of(slice));
        }
      }
    }
    return result;
  }

  private static SliceEffect slices(List<ObjectNode> before, List<ObjectNode> after) {
    Map<String, ObjectNode> was = new LinkedHashMap<>();
    before.forEach(slice -> was.put(ObjectKey.of(slice).name(), slice));
    List<String> changed = new ArrayList<>();
    List<String> made = new ArrayList<>();
    for (ObjectNode slice : after) {
      ObjectNode old = was.remove(ObjectKey.of(slice).name());
      if (old == null) {
        made.add(ObjectKey.of(slice).name());
      } else if (!ReadyEndpoints.sameContent(old, slice)) {
        changed.add(ObjectKey.of(slice).name());
      }
    }
    return new SliceEffect(changed, made, List.copyOf(was.keySet()));
  }
}
