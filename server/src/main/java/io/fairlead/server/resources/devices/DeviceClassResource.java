package io.fairlead.server.resources.devices;

import io.fairlead.api.json.Json;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import tools.jackson.databind.node.ObjectNode;

/// A sort of devices that claims may ask for.
public final class DeviceClassResource extends StoredResource {
  public DeviceClassResource() {
    super(
        ResourceDescriptorBuilder.cluster("resource.k8s.io", "deviceclasses", "DeviceClass")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.GENERATIONS);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    Json.child(object, "spec");
  }
}
