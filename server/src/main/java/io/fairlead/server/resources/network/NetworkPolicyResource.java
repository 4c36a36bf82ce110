package io.fairlead.server.resources.network;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Who may talk to which pods.
public final class NetworkPolicyResource extends StoredResource {
  public NetworkPolicyResource() {
    super(
        Describe.namespaced("networking.k8s.io", "networkpolicies", "NetworkPolicy")
            .shortNames("netpol")
            .build(),
        NameRule.SUBDOMAIN,
        Trait.GENERATIONS);
  }
}
