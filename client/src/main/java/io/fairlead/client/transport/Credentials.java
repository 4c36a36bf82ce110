package io.fairlead.client.transport;

import io.fairlead.client.tls.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;

/// The `Authorization` header of an identity.
final class Credentials {
  private Credentials() {}

  /// The header's value now; empty for identities that live in TLS or nowhere.
  static Optional<String> authorization(Identity identity) {
    return switch (identity) {
      case Identity.Anonymous _, Identity.ClientCertificate _ -> Optional.empty();
      case Identity.Token(String token) -> Optional.of("Bearer " + token);
      case Identity.TokenFile(var file) -> {
        try {
          yield Optional.of("Bearer " + Files.readString(file).strip());
        } catch (IOException e) {
          throw new ConnectionException("cannot read the token in " + file, e);
        }
      }
    };
  }
}
