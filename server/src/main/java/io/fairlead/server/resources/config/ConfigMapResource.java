package io.fairlead.server.resources.config;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Configuration as keys and texts.
public final class ConfigMapResource extends StoredResource {
  public ConfigMapResource() {
    super(
        Describe.namespaced("", "configmaps", "ConfigMap").shortNames("cm").build(),
        NameRule.SUBDOMAIN);
  }
}
