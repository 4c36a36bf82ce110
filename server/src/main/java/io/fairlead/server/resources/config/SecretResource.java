package io.fairlead.server.resources.config;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Data that is not for every eye.
public final class SecretResource extends StoredResource {
  public SecretResource() {
    super(Describe.namespaced("", "secrets", "Secret").build(), NameRule.SUBDOMAIN);
  }
}
