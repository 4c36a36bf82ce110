package io.fairlead.agent.api;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decides who may use the node's server.
public interface NodeAccess {
  /// Lets pass or throws.
  ///
  /// @param certificates what the client showed in the handshake, its own first; often none
  /// @param token of `Authorization: Bearer`, null when there is none
  /// @param verb `get`, `create`…
  /// @param subresource of the Node that is asked for: `proxy`, `metrics`…
  /// @throws io.fairlead.api.status.ApiException 401 when nobody knows who it is, 403 when they may
  ///   not
  void check(
      List<X509Certificate> certificates, @Nullable String token, String verb, String subresource);
}
