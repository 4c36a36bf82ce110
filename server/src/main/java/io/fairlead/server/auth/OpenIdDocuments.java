package io.fairlead.server.auth;

import io.fairlead.api.json.Json;
import java.math.BigInteger;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What others need to check our service account tokens by themselves (OpenID Connect discovery).
public final class OpenIdDocuments {
  public static final String CONFIGURATION_PATH = "/.well-known/openid-configuration";
  public static final String KEYS_PATH = "/openid/v1/jwks";
  public static final String KEYS_MEDIA_TYPE = "application/jwk-set+json";

  private static final int COORDINATE_LENGTH = 32; // P-256, RFC 7518 6.2.1.2

  private OpenIdDocuments() {}

  /// The answer at [#CONFIGURATION_PATH].
  ///
  /// @param keysUri where others reach [#KEYS_PATH], as a whole URL
  public static ObjectNode configuration(String issuer, String keysUri) {
    ObjectNode document = Json.object();
    document.put("issuer", issuer).put("jwks_uri", keysUri);
    document.putArray("response_types_supported").add("id_token");
    document.putArray("subject_types_supported").add("public");
    document.putArray("id_token_signing_alg_values_supported").add(Jwt.ALGORITHM);
    return document;
  }

  /// The answer at [#KEYS_PATH].
  public static ObjectNode keys(List<PublicKey> keys) {
    ObjectNode document = Json.object();
    ArrayNode list = document.putArray("keys");
    for (PublicKey key : keys) {
      if (key instanceof ECPublicKey point) {
        list.addObject()
            .put("use", "sig")
            .put("kty", "EC")
            .put("kid", Jwt.keyId(key))
            .put("crv", "P-256")
            .put("alg", Jwt.ALGORITHM)
            .put("x", coordinate(point.getW().getAffineX()))
            .put("y", coordinate(point.getW().getAffineY()));
      }
    }
    return document;
  }

  private static String coordinate(BigInteger value) {
    byte[] digits = value.toByteArray();
    byte[] fixed = new byte[COORDINATE_LENGTH];
    int copied = Math.min(digits.length, fixed.length);
    System.arraycopy(digits, digits.length - copied, fixed, fixed.length - copied, copied);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(fixed);
  }
}
