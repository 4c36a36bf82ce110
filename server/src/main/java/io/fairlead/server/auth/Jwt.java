package io.fairlead.server.auth;

import io.fairlead.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// Signed JSON tokens (RFC 7519) with one algorithm only: ES256, ECDSA on P-256 with SHA-256. A
/// token that names another algorithm, `none` above all, is not looked at any further.
///
/// @param keyId the `kid` of the header; empty when there is none
/// @param signed the two parts that the signature covers
record Jwt(String keyId, ObjectNode claims, String signed, byte[] signature) {
  static final String ALGORITHM = "ES256";

  /// No token of ours comes near it; what is longer costs nothing but this comparison.
  static final int MAX_LENGTH = 16 << 10;

  private static final String SIGNATURE = "SHA256withECDSAinP1363Format"; // RFC 7518 3.4
  private static final int SIGNATURE_LENGTH = 64;
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  /// Text that is no token, or one whose signature says nothing to us.
  static final class JwtException extends Exception {
    private static final long serialVersionUID = 1L;
    private final String problem;

    JwtException(String problem) {
      super(problem, null, false, false);
      this.problem = problem;
    }

    String problem() {
      return problem;
    }
  }

  static String sign(ObjectNode claims, String keyId, PrivateKey key) {
    ObjectNode header = Json.object().put("alg", ALGORITHM).put("kid", keyId);
    String signed =
        ENCODER.encodeToString(Json.bytes(header))
            + "."
            + ENCODER.encodeToString(Json.bytes(claims));
    try {
      Signature signature = Signature.getInstance(SIGNATURE);
      signature.initSign(key);
      signature.update(signed.getBytes(StandardCharsets.US_ASCII));
      return signed + "." + ENCODER.encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the token key cannot sign", e);
    }
  }

  /// Whether text has the shape of a signed token at all.
  static boolean looksLikeOne(String text) {
    int first = text.indexOf('.');
    int second = text.indexOf('.', first + 1);
    return first > 0 && second > first + 1 && text.indexOf('.', second + 1) < 0;
  }

  /// Takes a token apart; its signature is not checked yet.
  static Jwt parse(String text) throws JwtException {
    if (text.length() > MAX_LENGTH) {
      throw new JwtException("it is longer than " + MAX_LENGTH + " characters");
    }
    if (!looksLikeOne(text)) {
      throw new JwtException("it does not have three parts");
    }
    int first = text.indexOf('.');
    int second = text.indexOf('.', first + 1);
    ObjectNode header = object(text.substring(0, first), "header");
    String algorithm = Json.textOr(header, "", "alg");
    if (!algorithm.equals(ALGORITHM)) {
      throw new JwtException("its algorithm is \"" + algorithm + "\", not " + ALGORITHM);
    }
    if (header.has("crit")) {
      throw new JwtException("it demands an extension"); // RFC 7515 4.1.11
    }
    byte[] signature = bytes(text.substring(second + 1), "signature");
    if (signature.length != SIGNATURE_LENGTH) {
      throw new JwtException("its signature has " + signature.length + " bytes");
    }
    return new Jwt(
        Json.textOr(header, "", "kid"),
        object(text.substring(first + 1, second), "claims"),
        text.substring(0, second),
        signature);
  }

  boolean isSignedBy(PublicKey key) {
    try {
      Signature check = Signature.getInstance(SIGNATURE);
      check.initVerify(key);
      check.update(signed.getBytes(StandardCharsets.US_ASCII));
      return check.verify(signature);
    } catch (GeneralSecurityException e) {
      return false; // a key of another sort, or numbers outside the curve
    }
  }

  /// The name of a key: a hash of its public half.
  static String keyId(PublicKey key) {
    return ENCODER.encodeToString(sha256(key.getEncoded()));
  }

  static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }

  /// A whole number of seconds, or null when the claim is missing or no number.
  static @Nullable Long seconds(ObjectNode claims, String name) {
    var value = claims.path(name);
    return value.isNumber() && value.canConvertToLong() ? value.asLong() : null;
  }

  private static ObjectNode object(String part, String name) throws JwtException {
    try {
      if (Json.parse(bytes(part, name)) instanceof ObjectNode object) {
        return object;
      }
    } catch (JacksonException e) {
      throw new JwtException("its " + name + " is no JSON");
    }
    throw new JwtException("its " + name + " is no JSON object");
  }

  private static byte[] bytes(String part, String name) throws JwtException {
    try {
      return Base64.getUrlDecoder().decode(part);
    } catch (IllegalArgumentException e) {
      throw new JwtException("its " + name + " is not base64url");
    }
  }
}
