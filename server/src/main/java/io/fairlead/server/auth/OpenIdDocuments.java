package io.fairlead.server.auth;

import io.fairlead.api.json.Json;
import java.math.BigInteger;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
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
  /// @param keys what tokens are signed with
  /// @param keysUri where others reach [#KEYS_PATH], as a whole URL
  public static ObjectNode configuration(String issuer, String keysUri, List<PublicKey> keys) {
    ObjectNode document = Json.object();
    document.put("issuer", issuer).put("jwks_uri", keysUri);
    document.putArray("response_types_supported").add("id_token");
    document.putArray("subject_types_supported").add("public");
    ArrayNode algorithms = document.putArray("id_token_signing_alg_values_supported");
    keys.stream().map(Jwt::algorithm).distinct().forEach(algorithms::add);
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
            .put("alg", Jwt.algorithm(key))
            .put("x", coordinate(point.getW().getAffineX()))
            .put("y", coordinate(point.getW().getAffineY()));
      } else if (key instanceof RSAPublicKey rsa) {
        list.addObject()
            .put("use", "sig")
            .put("kty", "RSA")
            .put("kid", Jwt.keyId(key))
            .put("alg", Jwt.algorithm(key))
            .put("n", number(rsa.getModulus()))
            .put("e", number(rsa.getPublicExponent()));
      }
    }
    return document;
  }

  /// Without the sign's zero byte, RFC 7518 2.
  private static String number(BigInteger value) {
    byte[] digits = value.toByteArray();
    int from = digits.length > 1 && digits[0] == 0 ? 1 : 0;
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Arrays.copyOfRange(digits, from, digits.length));
  }

  private static String coordinate(BigInteger value) {
    byte[] digits = value.toByteArray();
    byte[] fixed = new byte[COORDINATE_LENGTH];
    int copied = Math.min(digits.length, fixed.length);
    System.arraycopy(digits, digits.length - copied, fixed, fixed.length - copied, copied);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(fixed);
  }
}
