package io.fairlead.controller.daemonset;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.client.ApiObject;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.placement.NodeSelector;
import io.fairlead.controller.placement.Toleration;
import io.fairlead.controller.runtime.InformerKind;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A DaemonSet. Immutable; the tree inside is shared.
///
/// @param nodeName the only node it wants, or empty
/// @param tolerations those of its template and those every daemon has
/// @param rolling whether a new version is rolled out, or waits until pods are deleted by hand
record DaemonSet(
    ApiObject object,
    LabelSelector selector,
    String nodeName,
    NodeSelector nodes,
    List<Toleration> tolerations,
    boolean rolling,
    Duration minReady)
    implements HasMetadata {
  static final ResourceType TYPE = ResourceType.DAEMON_SETS;
  static final InformerKind<DaemonSet> KIND = InformerKind.of(TYPE, DaemonSet::of);

  static DaemonSet of(ObjectNode body) {
    JsonNode spec = body.path("spec");
    JsonNode pod = Json.at(spec, "template", "spec");
    return new DaemonSet(
        ApiObject.of(body),
        LabelSelector.of(spec.get("selector") instanceof ObjectNode labels ? labels : null),
        Json.textOr(pod, "", "nodeName"),
        NodeSelector.of(pod),
        Toleration.of(DaemonPod.tolerations(pod)),
        !Json.textOr(spec, "", "updateStrategy", "type").equals("OnDelete"),
        Duration.ofSeconds(spec.path("minReadySeconds").asLong(0)));
  }

  @Override
  public ObjectMeta metadata() {
    return object.metadata();
  }

  JsonNode rollingUpdate() {
    return Json.at(object.body(), "spec", "updateStrategy", "rollingUpdate");
  }
}
