package io.fairlead.server.resource;

import io.fairlead.server.auth.Authenticator;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.TokenIssuer;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.pki.CertificateSigner;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/// What a resource may know of the request it serves.
public interface RequestContext {
  UserInfo user();

  /// The namespace of the path, empty for cluster-scoped requests.
  String namespace();

  /// `create`, `update`, `patch`, `delete`, …
  String verb();

  /// Nothing will be kept.
  boolean dryRun();

  /// The Kubernetes minor version whose behaviour is shown, such as 34.
  int emulatedMinor();

  InstantSource clock();

  RandomGenerator random();

  ClusterReader reader();

  /// The kinds that are served now.
  default List<Resource> served() {
    return List.of();
  }

  /// For reviews: who is behind a token, and may that user do this.
  Authenticator authenticator();

  Authorizer authorizer();

  TokenIssuer tokens();

  /// Signs certificates with the cluster's CA.
  default CertificateSigner signer() {
    return CertificateSigner.NONE;
  }

  /// Notes something for the audit log.
  default void annotate(String key, String value) {}

  /// Adds a `Warning` header to the answer.
  void warn(String text);
}
