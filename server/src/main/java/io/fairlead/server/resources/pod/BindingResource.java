package io.fairlead.server.resources.pod;

import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;

/// Puts a pod on a node: an older way to `pods/binding`.
public final class BindingResource extends StoredResource {
  public BindingResource() {
    super(
        ResourceDescriptorBuilder.namespaced("", "bindings", "Binding").createOnly().build(),
        NameValidator.SUBDOMAIN);
  }

  @Override
  public String delegatesTo() {
    return "pods/binding";
  }
}
