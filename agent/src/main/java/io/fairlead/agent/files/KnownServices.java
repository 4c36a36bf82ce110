package io.fairlead.agent.files;

import io.fairlead.agent.discovery.ServiceFacts;
import java.util.Collection;

/// The Services this node knows.
public interface KnownServices {
  /// Whether all of them were read once.
  boolean complete();

  /// Waits a little until what is known is not older than a version. So a Service made before a pod
  /// is seen by it, though the news of both travel apart.
  void awaitVersion(String resourceVersion);

  Collection<ServiceFacts> all();
}
