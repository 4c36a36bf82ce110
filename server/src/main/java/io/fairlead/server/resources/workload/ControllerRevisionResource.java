package io.fairlead.server.resources.workload;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// A past state of a StatefulSet or DaemonSet.
public final class ControllerRevisionResource extends StoredResource {
  public ControllerRevisionResource() {
    super(
        Describe.namespaced("apps", "controllerrevisions", "ControllerRevision").build(),
        NameRule.SUBDOMAIN);
  }
}
