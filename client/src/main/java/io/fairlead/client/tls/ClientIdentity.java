package io.fairlead.client.tls;

import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;

/// Who a client says it is.
public sealed interface ClientIdentity {
  /// No identity; the server may let it read little.
  record Anonymous() implements ClientIdentity {}

  /// The owner of a private key, named by a certificate.
  record ClientCertificate(List<X509Certificate> chain, PrivateKey key) implements ClientIdentity {
    public ClientCertificate {
      chain = List.copyOf(chain);
    }
  }

  /// The bearer of a token.
  record Token(String token) implements ClientIdentity {
    @Override
    public String toString() {
      return "Token[hidden]";
    }
  }

  /// The bearer of the token a file holds; read again for each request, because it is replaced
  /// before it expires.
  record TokenFile(Path file) implements ClientIdentity {}

  /// One who acts as another user, which the server must let it.
  ///
  /// @param own who really calls
  /// @param uid empty for none
  record ActingAs(
      ClientIdentity own,
      String user,
      String uid,
      List<String> groups,
      Map<String, List<String>> extra)
      implements ClientIdentity {
    public ActingAs {
      groups = List.copyOf(groups);
      extra = Map.copyOf(extra);
    }
  }
}
