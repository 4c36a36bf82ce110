package io.fairlead.server.resources.devices;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What the claims of a pod are made from.
public final class ResourceClaimTemplateResource extends StoredResource {
  public ResourceClaimTemplateResource() {
    super(
        ResourceDescriptorBuilder.namespaced(
                "resource.k8s.io", "resourceclaimtemplates", "ResourceClaimTemplate")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    ResourceClaimResource.fill(Json.child(Json.child(object, "spec"), "spec"));
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode spec = object.path("spec").path("spec");
    ResourceClaimResource.check(spec.path("devices"), "spec.spec.devices", problems);
    if (old != null) {
      problems.immutable("spec", object.path("spec"), old.path("spec"));
    }
    return problems.list();
  }
}
