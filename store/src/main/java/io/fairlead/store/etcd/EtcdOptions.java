package io.fairlead.store.etcd;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How to reach etcd.
///
/// @param endpoints such as `http://127.0.0.1:2379` or `https://etcd-0:2379`, tried in turn
/// @param trustedCa certificates that may have signed the servers' ones; null means the platform's
/// @param certificate the client's, null when etcd does not ask for one
/// @param key of the client's certificate
public record EtcdOptions(
    List<URI> endpoints, @Nullable Path trustedCa, @Nullable Path certificate, @Nullable Path key) {

  public EtcdOptions {
    endpoints = List.copyOf(endpoints);
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("etcd needs at least one endpoint");
    }
    for (URI endpoint : endpoints) {
      boolean known = "http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme());
      if (!known || endpoint.getHost() == null) {
        throw new IllegalArgumentException(
            "an etcd endpoint looks like http://host:2379 or https://host:2379, not " + endpoint);
      }
    }
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException("etcd's client certificate and key come together");
    }
  }

  /// Endpoints without TLS, or with servers that the platform trusts.
  public static EtcdOptions of(List<String> endpoints) {
    return new EtcdOptions(endpoints.stream().map(URI::create).toList(), null, null, null);
  }
}
