package io.fairlead.server.pki;

import io.fairlead.http.tls.PemParser;
import io.fairlead.http.tls.PemWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The certificates and keys of files, with errors that name the file, its purpose and what to do.
final class PemCodec {
  private PemCodec() {}

  private static byte[] read(Path file, String purpose) {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw unfit(file, purpose, "there is no such file", e);
    } catch (IOException e) {
      throw unfit(file, purpose, "it cannot be read (" + e.getMessage() + ")", e);
    }
  }

  /// All certificates of a file, at least one.
  static List<X509Certificate> certificates(Path file, String purpose) {
    List<X509Certificate> found;
    try {
      found = PemParser.certificatesIn(read(file, purpose));
    } catch (GeneralSecurityException e) {
      throw unfit(file, purpose, "its certificate is damaged (" + e.getMessage() + ")", e);
    }
    if (found.isEmpty()) {
      throw unfit(file, purpose, "it holds no BEGIN CERTIFICATE block", null);
    }
    return found;
  }

  /// The first private key of a file, in any of the usual forms.
  static PrivateKey privateKey(Path file, String purpose) {
    byte[] text = read(file, purpose);
    try {
      if (PemParser.isEncryptedKey(text)) {
        throw unfit(file, purpose, "the key is encrypted with a password", null);
      }
      return PemParser.privateKeyIn(text)
          .orElseThrow(() -> unfit(file, purpose, "it holds no BEGIN PRIVATE KEY block", null));
    } catch (GeneralSecurityException e) {
      throw unfit(file, purpose, "its key is damaged (" + e.getMessage() + ")", e);
    }
  }

  /// The public half that a key file of ours carries behind its key, or null.
  static @Nullable PublicKey publicHalf(Path file, String purpose) {
    List<PublicKey> found = publicKeysIn(file, purpose);
    return found.isEmpty() ? null : found.getFirst();
  }

  /// All public keys of a file, at least one.
  static List<PublicKey> publicKeys(Path file, String purpose) {
    List<PublicKey> found = publicKeysIn(file, purpose);
    if (found.isEmpty()) {
      throw unfit(file, purpose, "it holds no BEGIN PUBLIC KEY block", null);
    }
    return found;
  }

  private static List<PublicKey> publicKeysIn(Path file, String purpose) {
    try {
      return PemParser.publicKeys(read(file, purpose));
    } catch (GeneralSecurityException e) {
      throw unfit(file, purpose, "its key is damaged or neither an EC nor an RSA key", e);
    }
  }

  static String certificates(List<X509Certificate> chain) {
    return PemWriter.certificates(chain);
  }

  static String privateKey(PrivateKey key) {
    return PemWriter.privateKey(key);
  }

  /// A private key followed by its public half, so that a later start can see without arithmetic
  /// whether a certificate belongs to it. Other tools stop reading at the first block.
  static String keyPair(KeyPair pair) {
    return privateKey(pair.getPrivate()) + publicKey(pair.getPublic());
  }

  static String publicKey(PublicKey key) {
    return PemWriter.publicKey(key);
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
