package io.fairlead.controller.workload;

import io.fairlead.api.json.Json;
import io.fairlead.client.ApiObject;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// One version of an owner's pod template. Immutable; the tree inside is shared.
///
/// @param number grows with every version that becomes the newest
public record ControllerRevision(ApiObject object, long number) implements HasMetadata {
  public static final ResourceType TYPE = ResourceType.CONTROLLER_REVISIONS;

  /// On versions of StatefulSets: the hash.
  public static final String HASH = "controller.kubernetes.io/hash";

  /// On pods: the version they were made from. On versions of DaemonSets: the hash.
  public static final String POD_LABEL = "controller-revision-hash";

  static final String BY_OWNER = "owner";

  public static final InformerKind<ControllerRevision> KIND =
      InformerKind.of(TYPE, ControllerRevision::of)
          .indexedBy(
              BY_OWNER,
              one ->
                  List.of(
                      ControllerRefManager.controller(one.metadata())
                          .map(OwnerReference::uid)
                          .orElse("")));

  public static ControllerRevision of(ObjectNode body) {
    return new ControllerRevision(ApiObject.of(body), body.path("revision").asLong(0));
  }

  @Override
  public ObjectMeta metadata() {
    return object.metadata();
  }

  public String name() {
    return metadata().name();
  }

  public String hash() {
    Map<String, String> labels = metadata().labels();
    return labels.getOrDefault(POD_LABEL, labels.getOrDefault(HASH, ""));
  }

  /// The pod template it holds; the caller's to change.
  public ObjectNode template() {
    ObjectNode template =
        Json.child(Json.child(Json.child(object.body().deepCopy(), "data"), "spec"), "template");
    template.remove("$patch");
    return template;
  }
}
