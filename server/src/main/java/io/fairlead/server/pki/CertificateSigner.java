package io.fairlead.server.pki;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Reads requests for certificates and signs them with the cluster's CA.
public interface CertificateSigner {
  /// What a request asks for.
  ///
  /// @param names DNS names and addresses
  /// @param otherNames whether it asks for names of other sorts, such as e-mail addresses
  record Request(
      String commonName, List<String> organizations, List<String> names, boolean otherNames) {
    public Request {
      organizations = List.copyOf(organizations);
      names = List.copyOf(names);
    }
  }

  /// Where there is no CA.
  CertificateSigner NONE =
      new CertificateSigner() {
        @Override
        public Optional<Request> read(String pem) {
          return Optional.empty();
        }

        @Override
        public Optional<String> sign(String pem, boolean server, Duration validity) {
          return Optional.empty();
        }
      };

  /// What a PKCS #10 request asks for; empty when it cannot be read or its signature does not prove
  /// that the sender has the key.
  Optional<Request> read(String pem);

  /// The certificate as PEM; empty when it cannot be signed here.
  ///
  /// @param server whether it is for a server; else for a client
  /// @param validity it may end sooner, with its CA
  Optional<String> sign(String pem, boolean server, Duration validity);
}
