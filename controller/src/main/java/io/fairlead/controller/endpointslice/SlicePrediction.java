package io.fairlead.controller.endpointslice;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.controller.serving.EndpointNode;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.Service;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Which slices a Service would have with other pods, nodes or another specification: what the
/// controller would plan, without a write. Pure.
public final class SlicePrediction {
  private SlicePrediction() {}

  /// All slices of a Service after the controller has dealt with it. A slice that it would make has
  /// the name `SERVICE-new-N`; slices of other writers stay as they are.
  ///
  /// @param pods of the Service's namespace, or just those it selects
  /// @param slices those with the Service's label
  public static List<ObjectNode> of(
      ObjectNode service, List<ObjectNode> pods, List<ObjectNode> nodes, List<ObjectNode> slices) {
    Service known = Service.of(service);
    if (!known.selectsPods()) {
      return slices;
    }
    List<EndpointPod> members =
        pods.stream()
            .map(V1Pod::of)
            .map(EndpointPod::of)
            .filter(
                pod ->
                    pod.key().namespace().equals(known.key().namespace())
                        && known.selects(pod.labels()))
            .toList();
    Map<String, EndpointNode> byName = new HashMap<>();
    nodes.stream()
        .map(V1Node::of)
        .map(EndpointNode::of)
        .forEach(node -> byName.put(node.name(), node));
    Map<String, ObjectNode> after = new LinkedHashMap<>();
    slices.forEach(slice -> after.put(Slice.of(slice).metadata().name(), slice));
    List<Slice> ours =
        slices.stream()
            .map(Slice::of)
            .filter(slice -> slice.managedByUs() && !slice.metadata().beingDeleted())
            .toList();
    List<FamilyPlan> plans = new ArrayList<>();
    for (Family family : known.servedFamilies()) {
      plans.add(plan(known, family, members, byName, ours));
    }
    List<String> served = known.servedFamilies().stream().map(Family::toString).toList();
    plans.add(
        FamilyPlan.removal(
            ours.stream().filter(slice -> !served.contains(slice.addressType())).toList()));
    int made = 0;
    for (FamilyPlan plan : plans) {
      plan.deletes().forEach(slice -> after.remove(slice.metadata().name()));
      for (SliceDraft draft : plan.updates()) {
        ObjectNode body = SliceBody.of(draft, known, Optional.empty());
        after.put(Json.textOr(body, "", "metadata", "name"), body);
      }
      for (SliceDraft draft : plan.creates()) {
        String name = known.key().name() + "-new-" + ++made;
        ObjectNode body = SliceBody.of(draft, known, Optional.empty());
        Json.child(body, "metadata").put("name", name);
        after.put(name, body);
      }
    }
    return List.copyOf(after.values());
  }

  private static FamilyPlan plan(
      Service service,
      Family family,
      List<EndpointPod> members,
      Map<String, EndpointNode> nodes,
      List<Slice> ours) {
    List<Slice> present =
        ours.stream().filter(slice -> slice.addressType().equals(family.toString())).toList();
    DesiredSliceEndpoints wanted =
        DesiredSliceEndpoints.of(
            service, family, members, name -> Optional.ofNullable(nodes.get(name)));
    boolean hinted = service.proportionalHints() && present.stream().anyMatch(Slice::hasHints);
    return FamilyPlan.of(
        new FamilyPlan.Input(
            service,
            present,
            ZoneShares.of(nodes.values()),
            hinted,
            EndpointSliceOptions.STANDARD.maxEndpointsPerSlice()),
        family,
        wanted);
  }
}
