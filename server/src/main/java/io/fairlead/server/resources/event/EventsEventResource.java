package io.fairlead.server.resources.event;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// The same events in the shape of `events.k8s.io`.
public final class EventsEventResource extends StoredResource {
  public EventsEventResource() {
    super(
        Describe.namespaced("events.k8s.io", "events", "Event").shortNames("ev").build(),
        NameRule.SUBDOMAIN,
        Trait.CREATES_ON_UPDATE);
  }
}
