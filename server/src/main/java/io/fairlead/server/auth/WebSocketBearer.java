package io.fairlead.server.auth;

import io.fairlead.api.status.ApiException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The token of a browser's WebSocket, which cannot set an Authorization header and offers it as
/// one more subprotocol instead.
///
/// @param token null when none was offered
/// @param protocols the real subprotocols, to be negotiated
public record WebSocketBearer(@Nullable String token, List<String> protocols) {
  private static final String PREFIX = "base64url.bearer.authorization.k8s.io.";

  /// Splits what the client offered in `Sec-WebSocket-Protocol`.
  ///
  /// @throws ApiException 401 when the token cannot be read, comes twice, or alone
  public static WebSocketBearer of(List<String> offered) {
    String token = null;
    List<String> protocols = new ArrayList<>();
    for (String protocol : offered) {
      if (!protocol.startsWith(PREFIX)) {
        protocols.add(protocol);
      } else if (token == null) {
        token = decode(protocol.substring(PREFIX.length()));
      } else {
        throw ApiException.unauthorized();
      }
    }
    if (token != null && protocols.isEmpty()) {
      throw ApiException.unauthorized();
    }
    return new WebSocketBearer(token, List.copyOf(protocols));
  }

  /// What may be passed on of one value of `Sec-WebSocket-Protocol`: everything but the token.
  ///
  /// @return empty when nothing is left
  public static String withoutToken(String header) {
    return Arrays.stream(header.split(","))
        .map(String::strip)
        .filter(protocol -> !protocol.isEmpty() && !protocol.startsWith(PREFIX))
        .collect(Collectors.joining(", "));
  }

  private static String decode(String text) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(Base64.getUrlDecoder().decode(text)))
          .toString();
    } catch (IllegalArgumentException | CharacterCodingException e) {
      throw ApiException.unauthorized();
    }
  }
}
