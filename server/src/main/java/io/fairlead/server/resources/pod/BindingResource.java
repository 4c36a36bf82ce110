package io.fairlead.server.resources.pod;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Puts a pod on a node: an older way to `pods/binding`.
public final class BindingResource extends StoredResource {
  public BindingResource() {
    super(Describe.namespaced("", "bindings", "Binding").createOnly().build(), NameRule.SUBDOMAIN);
  }

  @Override
  public String delegatesTo() {
    return "pods/binding";
  }
}
