package io.fairlead.server.auth;

import io.fairlead.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// Signed JSON tokens (RFC 7519) with two algorithms only: ES256, ECDSA on P-256 with SHA-256, and
/// RS256 for keys of other installations. The kind of the key decides, never the token alone: one
/// that names another algorithm, `none` above all, is not looked at any further.
///
/// @param algorithm `ES256` or `RS256`
/// @param keyId the `kid` of the header; empty when there is none
/// @param signed the two parts that the signature covers
record Jwt(String algorithm, String keyId, ObjectNode claims, String signed, byte[] signature) {
  private static final String ES256 = "ES256";
  private static final String RS256 = "RS256";

  /// No token of ours comes near it; what is longer costs nothing but this comparison.
  static final int MAX_LENGTH = 16 << 10;

  private static final int ES256_LENGTH = 64; // RFC 7518 3.4
  private static final int LONGEST_RS256 = 1024; // of a key with 8,192 bits
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

  /// The algorithm that a key signs with.
  static String algorithm(Key key) {
    return key.getAlgorithm().equals("RSA") ? RS256 : ES256;
  }

  private static Signature signature(Key key) throws GeneralSecurityException {
    return Signature.getInstance(
        algorithm(key).equals(RS256) ? "SHA256withRSA" : "SHA256withECDSAinP1363Format");
  }

  static String sign(ObjectNode claims, String keyId, PrivateKey key) {
    ObjectNode header = Json.object().put("alg", algorithm(key)).put("kid", keyId);
    String signed =
        ENCODER.encodeToString(Json.bytes(header))
            + "."
            + ENCODER.encodeToString(Json.bytes(claims));
    try {
      Signature signature = signature(key);
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
    if (!algorithm.equals(ES256) && !algorithm.equals(RS256)) {
      throw new JwtException(
          "its algorithm is \"" + algorithm + "\", neither " + ES256 + " nor " + RS256);
    }
    if (header.has("crit")) {
      throw new JwtException("it demands an extension"); // RFC 7515 4.1.11
    }
    byte[] signature = bytes(text.substring(second + 1), "signature");
    boolean fits =
        algorithm.equals(ES256)
            ? signature.length == ES256_LENGTH
            : signature.length <= LONGEST_RS256;
    if (!fits) {
      throw new JwtException("its signature has " + signature.length + " bytes");
    }
    return new Jwt(
        algorithm,
        Json.textOr(header, "", "kid"),
        object(text.substring(first + 1, second), "claims"),
        text.substring(0, second),
        signature);
  }

  boolean isSignedBy(PublicKey key) {
    if (!algorithm(key).equals(algorithm)) {
      return false;
    }
    try {
      Signature check = signature(key);
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
