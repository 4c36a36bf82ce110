package io.fairlead.agent.files;

import io.fairlead.agent.discovery.ServiceView;
import java.util.Collection;

/// The Services this node knows.
public interface ServiceLister {
  /// Whether all of them were read once.
  boolean complete();

  /// All, as they were seen last.
  Collection<ServiceView> all();

  /// All, with those of a namespace as they were at a version or later. So a Service made before a
  /// pod is seen by it, though the news of both travel apart.
  Collection<ServiceView> since(String resourceVersion, String namespace);
}
