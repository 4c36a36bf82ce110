package io.fairlead.controller.volume;

import io.fairlead.api.json.Json;
import io.fairlead.client.ApiObject;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A PersistentVolumeClaim. Immutable; the tree inside is shared.
record StorageClaim(ApiObject object) implements HasMetadata {
  static final ResourceType TYPE = ResourceType.PERSISTENT_VOLUME_CLAIMS;
  static final InformerKind<StorageClaim> KIND = InformerKind.of(TYPE, StorageClaim::of);
  static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
  static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

  static StorageClaim of(ObjectNode body) {
    return new StorageClaim(ApiObject.of(body));
  }

  @Override
  public ObjectMeta metadata() {
    return object.metadata();
  }

  JsonNode spec() {
    return object.body().path("spec");
  }

  /// The volume it names or was given; empty for none.
  String volumeName() {
    return Json.textOr(spec(), "", "volumeName");
  }

  boolean bindCompleted() {
    return object.body().path("metadata").path("annotations").has(BIND_COMPLETED);
  }

  /// What a volume says of the claim that has it.
  ObjectNode reference() {
    return Json.object()
        .put("kind", TYPE.kind())
        .put("namespace", metadata().namespace())
        .put("name", metadata().name())
        .put("uid", metadata().uid())
        .put("apiVersion", TYPE.apiVersion())
        .put("resourceVersion", metadata().resourceVersion());
  }
}
