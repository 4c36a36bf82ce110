package io.fairlead.server.pki;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads and writes PEM: base64 between BEGIN and END lines. Text outside the blocks is ignored, as
/// RFC 7468 allows.
final class Pem {
  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final String DASHES = "-----";
  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

  /// @param label what stands in the BEGIN line, `CERTIFICATE`
  record Block(String label, byte[] bytes) {}

  private Pem() {}

  /// The file's text.
  static String read(Path file, String purpose) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw unfit(file, purpose, "there is no such file", e);
    } catch (IOException e) {
      throw unfit(file, purpose, "it cannot be read (" + e.getMessage() + ")", e);
    }
  }

  /// All certificates of a file, at least one.
  static List<X509Certificate> certificates(Path file, String purpose) {
    List<X509Certificate> found = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (Block block : blocks(read(file, purpose))) {
        if (block.label().equals("CERTIFICATE")) {
          found.add(
              (X509Certificate)
                  factory.generateCertificate(new ByteArrayInputStream(block.bytes())));
        }
      }
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw unfit(file, purpose, "its certificate is damaged (" + e.getMessage() + ")", e);
    }
    if (found.isEmpty()) {
      throw unfit(file, purpose, "it holds no BEGIN CERTIFICATE block", null);
    }
    return found;
  }

  /// The first private key of a file, in any of the usual forms.
  static PrivateKey privateKey(Path file, String purpose) {
    String text = read(file, purpose);
    try {
      for (Block block : blocks(text)) {
        if (block.label().equals("PRIVATE KEY")) {
          return pkcs8(block.bytes());
        }
        if (block.label().equals("ENCRYPTED PRIVATE KEY") || isEncrypted(text)) {
          throw unfit(file, purpose, "the key is encrypted with a password", null);
        }
        if (block.label().endsWith(" PRIVATE KEY")) {
          return ForeignPrivateKey.parse(text);
        }
      }
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw unfit(file, purpose, "its key is damaged (" + e.getMessage() + ")", e);
    }
    throw unfit(file, purpose, "it holds no BEGIN PRIVATE KEY block", null);
  }

  /// The public half that a key file of ours carries behind its key, or null.
  static @Nullable PublicKey publicHalf(Path file, String purpose) {
    return read(file, purpose).contains(BEGIN + "PUBLIC KEY" + DASHES)
        ? publicKeys(file, purpose).getFirst()
        : null;
  }

  /// All public keys of a file, at least one.
  static List<PublicKey> publicKeys(Path file, String purpose) {
    List<PublicKey> found = new ArrayList<>();
    try {
      for (Block block : blocks(read(file, purpose))) {
        if (block.label().equals("PUBLIC KEY")) {
          found.add(
              KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(block.bytes())));
        }
      }
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw unfit(file, purpose, "its key is damaged or not an EC key", e);
    }
    if (found.isEmpty()) {
      throw unfit(file, purpose, "it holds no BEGIN PUBLIC KEY block", null);
    }
    return found;
  }

  static String certificates(List<X509Certificate> chain) {
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

  static String privateKey(PrivateKey key) {
    return block("PRIVATE KEY", key.getEncoded());
  }

  /// A private key followed by its public half, so that a later start can tell without arithmetic
  /// whether a certificate belongs to it. Other tools stop reading at the first block.
  static String keyPair(KeyPair pair) {
    return privateKey(pair.getPrivate()) + publicKey(pair.getPublic());
  }

  static String publicKey(PublicKey key) {
    return block("PUBLIC KEY", key.getEncoded());
  }

  private static String block(String label, byte[] bytes) {
    return BEGIN
        + label
        + DASHES
        + "\n"
        + LINES.encodeToString(bytes)
        + "\n"
        + END
        + label
        + DASHES
        + "\n";
  }

  /// The blocks of a text. A block that does not end throws IllegalArgumentException.
  static List<Block> blocks(String text) {
    List<Block> found = new ArrayList<>();
    int at = 0;
    while ((at = text.indexOf(BEGIN, at)) >= 0) {
      int labelEnd = text.indexOf(DASHES, at + BEGIN.length());
      if (labelEnd < 0) {
        throw new IllegalArgumentException("a BEGIN line is cut off");
      }
      String label = text.substring(at + BEGIN.length(), labelEnd);
      int bodyStart = labelEnd + DASHES.length();
      int bodyEnd = text.indexOf(END + label + DASHES, bodyStart);
      if (bodyEnd < 0) {
        throw new IllegalArgumentException("no END line for " + label);
      }
      String body = text.substring(bodyStart, bodyEnd);
      // Headers such as Proc-Type come only in old encrypted keys, which are refused by name.
      byte[] bytes = body.indexOf(':') >= 0 ? new byte[0] : Base64.getMimeDecoder().decode(body);
      found.add(new Block(label, bytes));
      at = bodyEnd;
    }
    return found;
  }

  private static boolean isEncrypted(String text) {
    return text.contains("Proc-Type: 4,ENCRYPTED");
  }

  private static PrivateKey pkcs8(byte[] bytes) throws GeneralSecurityException {
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(bytes);
    GeneralSecurityException last = null;
    for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (GeneralSecurityException e) {
        last = e;
      }
    }
    throw new GeneralSecurityException("neither an EC, RSA nor Ed25519 key", last);
  }

  private static PkiException unfit(
      Path file, String purpose, String why, @Nullable Exception cause) {
    String what = "cannot load " + purpose + " from " + file;
    String next = "give a PEM file that this user can read, without a password";
    return cause == null
        ? new PkiException(what, why, next)
        : new PkiException(what, why, next, cause);
  }
}
