package io.fairlead.client.transport;

import io.fairlead.client.tls.ClientIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The headers that say who calls.
final class Credentials {
  private Credentials() {}

  /// All of them now, names and values.
  static List<Map.Entry<String, String>> headers(ClientIdentity identity) {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    authorization(identity).ifPresent(value -> headers.add(Map.entry("Authorization", value)));
    if (identity instanceof ClientIdentity.ActingAs acting) {
      headers.add(Map.entry("Impersonate-User", acting.user()));
      if (!acting.uid().isEmpty()) {
        headers.add(Map.entry("Impersonate-Uid", acting.uid()));
      }
      acting.groups().forEach(group -> headers.add(Map.entry("Impersonate-Group", group)));
      acting
          .extra()
          .forEach(
              (key, values) ->
                  values.forEach(
                      value ->
                          headers.add(
                              Map.entry("Impersonate-Extra-" + ApiRequest.escape(key), value))));
    }
    return headers;
  }

  /// The value of `Authorization`; empty for identities that live in TLS or nowhere.
  private static Optional<String> authorization(ClientIdentity identity) {
    return switch (identity) {
      case ClientIdentity.Anonymous _, ClientIdentity.ClientCertificate _ -> Optional.empty();
      case ClientIdentity.ActingAs acting -> authorization(acting.own());
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
