package io.fairlead.http.tls;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECPoint;
import java.util.Base64;
import java.util.List;

/// Writes certificates and keys as PEM text (RFC 7468).
public final class PemWriter {
  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

  private static final int P256_BITS = 256;

  // INTEGER 1, OCTET STRING of 32 bytes: RFC 5915.
  private static final byte[] SEC1_HEAD = {0x02, 0x01, 0x01, 0x04, 0x20};

  // [0] with the object identifier prime256v1: RFC 5480.
  private static final byte[] SEC1_CURVE = {
    (byte) 0xa0, 0x0a, 0x06, 0x08, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x03, 0x01, 0x07
  };

  // [1] with a BIT STRING of an uncompressed point: RFC 5915.
  private static final byte[] SEC1_POINT = {(byte) 0xa1, 0x44, 0x03, 0x42, 0x00, 0x04};

  private static final int SEQUENCE = 0x30;

  private PemWriter() {}

  /// One block for each certificate, in that order.
  public static String certificates(List<X509Certificate> chain) {
    StringBuilder out = new StringBuilder();
    try {
      for (X509Certificate certificate : chain) {
        out.append(block("CERTIFICATE", certificate.getEncoded()));
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a loaded certificate has no encoding", e);
    }
    return out.toString();
  }

  /// A P-256 key in the form of SEC 1, whose label says that it is one: some clients take each key
  /// in the form of PKCS#8 for one of RSA. Other keys in the form of PKCS#8.
  public static String privateKey(PrivateKey key) {
    return isP256(key)
        ? block("EC PRIVATE KEY", sec1((ECPrivateKey) key, new byte[0]))
        : pkcs8(key);
  }

  /// The same with the public half in it, where the form has a place for it: some clients do not
  /// read a key of SEC 1 without.
  public static String privateKey(PrivateKey key, PublicKey half) {
    return isP256(key) && half instanceof ECPublicKey point
        ? block("EC PRIVATE KEY", sec1((ECPrivateKey) key, point(point.getW())))
        : privateKey(key);
  }

  private static boolean isP256(PrivateKey key) {
    return key instanceof ECPrivateKey ec && ec.getParams().getOrder().bitLength() == P256_BITS;
  }

  private static String pkcs8(PrivateKey key) {
    return block("PRIVATE KEY", key.getEncoded());
  }

  /// ECPrivateKey of RFC 5915 with the name of its curve.
  ///
  /// @param point the public half as its last element; may be empty
  private static byte[] sec1(ECPrivateKey key, byte[] point) {
    int length = SEC1_HEAD.length + P256_BITS / 8 + SEC1_CURVE.length + point.length;
    return ByteBuffer.allocate(2 + length)
        .put((byte) SEQUENCE)
        .put((byte) length)
        .put(SEC1_HEAD)
        .put(fixed(key.getS()))
        .put(SEC1_CURVE)
        .put(point)
        .array();
  }

  private static byte[] point(ECPoint point) {
    return ByteBuffer.allocate(SEC1_POINT.length + 2 * P256_BITS / 8)
        .put(SEC1_POINT)
        .put(fixed(point.getAffineX()))
        .put(fixed(point.getAffineY()))
        .array();
  }

  private static byte[] fixed(BigInteger number) {
    byte[] bytes = number.toByteArray();
    byte[] fixed = new byte[P256_BITS / 8];
    int copied = Math.min(bytes.length, fixed.length);
    System.arraycopy(bytes, bytes.length - copied, fixed, fixed.length - copied, copied);
    return fixed;
  }

  public static String publicKey(PublicKey key) {
    return block("PUBLIC KEY", key.getEncoded());
  }

  private static String block(String label, byte[] bytes) {
    return "-----BEGIN "
        + label
        + "-----\n"
        + LINES.encodeToString(bytes)
        + "\n-----END "
        + label
        + "-----\n";
  }
}
