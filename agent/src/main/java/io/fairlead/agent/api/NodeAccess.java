package io.fairlead.agent.api;

import io.fairlead.api.status.ApiException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Decides who may use the node's server.
public interface NodeAccess {
  /// Lets pass or throws.
  ///
  /// @param certificates what the client showed in the handshake, its own first; often none
  /// @param token of `Authorization: Bearer`, null when there is none
  /// @param verb `get`, `create`…
  /// @param subresource of the Node that is asked for: `proxy`, `metrics`…
  /// @throws io.fairlead.api.status.ApiException 401 when the caller is unknown, 403 when they may
  ///   not
  void check(
      List<X509Certificate> certificates, @Nullable String token, String verb, String subresource);

  /// Finds out who asks.
  ///
  /// @param impersonation the headers `Impersonate-*`, which are believed only from those who may
  /// @throws io.fairlead.api.status.ApiException 401 when the caller is unknown, 403 when they may
  ///   not act as that user
  default NodeCaller identify(
      List<X509Certificate> certificates,
      @Nullable String token,
      Map<String, List<String>> impersonation) {
    throw ApiException.noSuchResource();
  }

  /// One who asks.
  interface NodeCaller {
    String name();

    /// Whether they may do that with an object of the core group.
    ///
    /// @param subresource empty for none
    /// @param namespace empty for objects of the cluster
    /// @param name empty for all
    boolean may(String verb, String resource, String subresource, String namespace, String name);

    /// The same, or throws 403 with words that name what is missing.
    void check(String verb, String resource, String subresource, String namespace, String name);
  }
}
