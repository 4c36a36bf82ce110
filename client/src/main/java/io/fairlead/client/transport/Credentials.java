package io.fairlead.client.transport;

import io.fairlead.client.tls.ClientIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;

/// The `Authorization` header of an identity.
final class Credentials {
  private Credentials() {}

  /// The header's value now; empty for identities that live in TLS or nowhere.
  static Optional<String> authorization(ClientIdentity identity) {
    return switch (identity) {
      case ClientIdentity.Anonymous _, ClientIdentity.ClientCertificate _ -> Optional.empty();
      case ClientIdentity.Token(String token) -> Optional.of("Bearer " + token);
      case ClientIdentity.TokenFile(var file) -> {
        try {
          yield Optional.of("Bearer " + Files.readString(file).strip());
        } catch (IOException e) {
          throw new ConnectionException("cannot read the token in " + file, e);
        }
      }
    };
  }
}
