package io.fairlead.http.tls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Reads certificates and keys from PEM text (RFC 7468). Text outside the blocks is ignored.
///
/// How it works: the JDK decodes certificates and PKCS#8 keys itself. The two older key forms that
/// kubeconfig files still carry, PKCS#1 (`RSA PRIVATE KEY`) and SEC1 (`EC PRIVATE KEY`), are the
/// inner part of a PKCS#8 key, so they are wrapped in its envelope (RFC 5208) and then decoded.
public final class PemParser {
  private static final String BEGIN = "-----BEGIN ";
  private static final String DASHES = "-----";

  private static final int TAG_INTEGER = 0x02;
  private static final int TAG_OCTETS = 0x04;
  private static final int TAG_OID = 0x06;
  private static final int TAG_SEQUENCE = 0x30;
  private static final int TAG_PARAMETERS = 0xa0; // ECPrivateKey.parameters, RFC 5915

  // rsaEncryption with NULL parameters, and id-ecPublicKey: RFC 8017, RFC 5480.
  private static final byte[] RSA_ALGORITHM = {
    0x06,
    0x09,
    0x2a,
    (byte) 0x86,
    0x48,
    (byte) 0x86,
    (byte) 0xf7,
    0x0d,
    0x01,
    0x01,
    0x01,
    0x05,
    0x00
  };
  private static final byte[] EC_ALGORITHM = {
    0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01
  };
  private static final byte[] VERSION_ZERO = {TAG_INTEGER, 1, 0};

  /// One `-----BEGIN label-----` block.
  ///
  /// @param encrypted its headers (RFC 1421) say that a pass phrase is needed
  private record Block(String label, byte[] der, boolean encrypted) {}

  private PemParser() {}

  /// All certificates of a text, in order. Throws when there is none.
  public static List<X509Certificate> certificates(byte[] pem) throws GeneralSecurityException {
    List<X509Certificate> found = certificatesIn(pem);
    if (found.isEmpty()) {
      throw new GeneralSecurityException("no PEM block of type CERTIFICATE");
    }
    return found;
  }

  /// The same; possibly none.
  public static List<X509Certificate> certificatesIn(byte[] pem) throws GeneralSecurityException {
    List<X509Certificate> found = new ArrayList<>();
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    for (Block block : blocks(pem)) {
      if (block.label().equals("CERTIFICATE")) {
        found.add(
            (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.der())));
      }
    }
    return List.copyOf(found);
  }

  /// All public EC and RSA keys of a text, in order; possibly none.
  public static List<PublicKey> publicKeys(byte[] pem) throws GeneralSecurityException {
    List<PublicKey> found = new ArrayList<>();
    for (Block block : blocks(pem)) {
      if (block.label().equals("PUBLIC KEY")) {
        found.add(publicKey(block.der()));
      }
    }
    return List.copyOf(found);
  }

  private static PublicKey publicKey(byte[] der) throws GeneralSecurityException {
    try {
      return KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(der));
    } catch (InvalidKeySpecException e) {
      return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(der));
    }
  }

  /// Whether the first private key of a text needs a pass phrase, which no reader here asks for.
  public static boolean isEncryptedKey(byte[] pem) throws GeneralSecurityException {
    for (Block block : blocks(pem)) {
      if (block.label().endsWith("PRIVATE KEY")) {
        return block.encrypted();
      }
    }
    return false;
  }

  /// The first private key of a text: PKCS#8, PKCS#1 or SEC1, RSA or EC. Throws when there is none.
  public static PrivateKey privateKey(byte[] pem) throws GeneralSecurityException {
    return privateKeyIn(pem)
        .orElseThrow(() -> new GeneralSecurityException("no PEM block with a private key"));
  }

  /// The same; empty when there is none.
  public static Optional<PrivateKey> privateKeyIn(byte[] pem) throws GeneralSecurityException {
    for (Block block : blocks(pem)) {
      if (block.encrypted()) {
        throw new GeneralSecurityException("the private key is encrypted with a pass phrase");
      }
      switch (block.label()) {
        case "PRIVATE KEY":
          return Optional.of(pkcs8(block.der()));
        case "RSA PRIVATE KEY":
          return Optional.of(decode("RSA", envelope(RSA_ALGORITHM, block.der())));
        case "EC PRIVATE KEY":
          byte[] algorithm = concat(EC_ALGORITHM, curve(block.der()));
          return Optional.of(decode("EC", envelope(algorithm, block.der())));
        default:
          // EC PARAMETERS and certificates may stand before the key.
          break;
      }
    }
    return Optional.empty();
  }

  private static PrivateKey pkcs8(byte[] der) throws GeneralSecurityException {
    GeneralSecurityException last = null;
    for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
      try {
        return decode(algorithm, der);
      } catch (GeneralSecurityException e) {
        last = e;
      }
    }
    throw new GeneralSecurityException("neither an EC, RSA nor Ed25519 key", last);
  }

  private static PrivateKey decode(String algorithm, byte[] pkcs8) throws GeneralSecurityException {
    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
  }

  private static List<Block> blocks(byte[] pem) throws GeneralSecurityException {
    String text = new String(pem, StandardCharsets.ISO_8859_1);
    List<Block> blocks = new ArrayList<>();
    int at = text.indexOf(BEGIN);
    while (at >= 0) {
      int labelEnd = text.indexOf(DASHES, at + BEGIN.length());
      if (labelEnd < 0) {
        throw new GeneralSecurityException("a PEM header has no closing dashes");
      }
      String label = text.substring(at + BEGIN.length(), labelEnd);
      int bodyEnd = text.indexOf("-----END " + label + DASHES, labelEnd);
      if (bodyEnd < 0) {
        throw new GeneralSecurityException("PEM block " + label + " has no end");
      }
      String body = text.substring(labelEnd + DASHES.length(), bodyEnd);
      boolean encrypted =
          label.equals("ENCRYPTED PRIVATE KEY") || body.contains("Proc-Type: 4,ENCRYPTED");
      try {
        // The headers of an encrypted key are no base64, and neither is read further.
        byte[] der = encrypted ? new byte[0] : Base64.getMimeDecoder().decode(body.strip());
        blocks.add(new Block(label, der, encrypted));
      } catch (IllegalArgumentException e) {
        throw new GeneralSecurityException("PEM block " + label + " is not base64", e);
      }
      at = text.indexOf(BEGIN, bodyEnd);
    }
    return blocks;
  }

  /// The object identifier of the curve, taken from the parameters inside a SEC1 key.
  private static byte[] curve(byte[] sec1) throws GeneralSecurityException {
    int at = contentStart(sec1, 0, TAG_SEQUENCE);
    while (at < sec1.length) {
      int tag = sec1[at] & 0xff;
      int content = contentStart(sec1, at, tag);
      int end = content + lengthAt(sec1, at);
      if (tag == TAG_PARAMETERS) {
        if (content >= sec1.length || sec1[content] != TAG_OID || end > sec1.length) {
          break;
        }
        byte[] oid = new byte[end - content];
        System.arraycopy(sec1, content, oid, 0, oid.length);
        return oid;
      }
      at = end;
    }
    throw new GeneralSecurityException("the EC private key does not name its curve");
  }

  private static int contentStart(byte[] der, int at, int tag) throws GeneralSecurityException {
    if (at + 1 >= der.length || (der[at] & 0xff) != tag) {
      throw new GeneralSecurityException("the private key is not well-formed DER");
    }
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
  }

  private static int lengthAt(byte[] der, int at) throws GeneralSecurityException {
    int first = der[at + 1] & 0xff;
    if (first < 0x80) {
      return first;
    }
    int count = first & 0x7f;
    if (count > 3 || at + 2 + count > der.length) {
      throw new GeneralSecurityException("the private key is not well-formed DER");
    }
    int length = 0;
    for (int i = 0; i < count; i++) {
      length = (length << 8) | (der[at + 2 + i] & 0xff);
    }
    return length;
  }

  private static byte[] envelope(byte[] algorithm, byte[] key) {
    return tagged(
        TAG_SEQUENCE,
        concat(VERSION_ZERO, tagged(TAG_SEQUENCE, algorithm), tagged(TAG_OCTETS, key)));
  }

  private static byte[] tagged(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 5);
    out.write(tag);
    int length = content.length;
    if (length < 0x80) {
      out.write(length);
    } else {
      int count = (39 - Integer.numberOfLeadingZeros(length)) / 8;
      out.write(0x80 | count);
      for (int shift = 8 * (count - 1); shift >= 0; shift -= 8) {
        out.write(length >> shift);
      }
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
