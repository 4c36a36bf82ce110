package io.fairlead.server.resources.event;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Something that happened to an object, kept for an hour.
public final class EventResource extends StoredResource {
  public EventResource() {
    super(
        Describe.namespaced("", "events", "Event").shortNames("ev").build(),
        NameRule.SUBDOMAIN,
        Trait.CREATES_ON_UPDATE);
  }
}
