package io.fairlead.server.resources.network;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// An address that is taken; its existence is the claim.
public final class IpAddressResource extends StoredResource {
  public IpAddressResource() {
    super(
        Describe.cluster("networking.k8s.io", "ipaddresses", "IPAddress").shortNames("ip").build(),
        NameRule.SUBDOMAIN);
  }
}
