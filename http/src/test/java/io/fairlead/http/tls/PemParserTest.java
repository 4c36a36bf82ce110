package io.fairlead.http.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECPrivateKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PemParserTest {
  /// The label says the kind, so that a client need not guess.
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "ec-pkcs8.pem, EC PRIVATE KEY",
    "ec-sec1.pem, EC PRIVATE KEY",
    "rsa-pkcs8.pem, PRIVATE KEY"
  })
  void aWrittenKeyIsReadBack(String file, String label) throws Exception {
    PrivateKey key = PemParser.privateKey(read(file));
    String written = PemWriter.privateKey(key);
    assertThat(written).startsWith("-----BEGIN " + label + "-----\n");
    PrivateKey again = PemParser.privateKey(written.getBytes(UTF_8));
    if (key instanceof ECPrivateKey ec) {
      assertThat(((ECPrivateKey) again).getS()).isEqualTo(ec.getS());
    } else {
      assertThat(again).isEqualTo(key);
    }
  }

  @Test
  void aKeyCanHaveItsPublicHalf() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    KeyPair pair = generator.generateKeyPair();
    String written = PemWriter.privateKey(pair.getPrivate(), pair.getPublic());
    assertThat(written).startsWith("-----BEGIN EC PRIVATE KEY-----\n");
    byte[] der = Base64.getMimeDecoder().decode(written.replaceAll("-----[^-]+-----", ""));
    byte[] point = pair.getPublic().getEncoded();
    assertThat(Arrays.copyOfRange(der, der.length - 65, der.length))
        .as("the last element is the point, as X.509 has it")
        .isEqualTo(Arrays.copyOfRange(point, point.length - 65, point.length));
    assertThat(der).hasSize(der[1] + 2);
    assertThat(((ECPrivateKey) PemParser.privateKey(written.getBytes(UTF_8))).getS())
        .isEqualTo(((ECPrivateKey) pair.getPrivate()).getS());
  }

  @Test
  void aNumberWithLeadingZerosKeepsItsLength() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    ECPrivateKey some = (ECPrivateKey) generator.generateKeyPair().getPrivate();
    PrivateKey small =
        KeyFactory.getInstance("EC")
            .generatePrivate(new ECPrivateKeySpec(BigInteger.valueOf(7), some.getParams()));
    String written = PemWriter.privateKey(small);
    assertThat(((ECPrivateKey) PemParser.privateKey(written.getBytes(UTF_8))).getS())
        .isEqualTo(BigInteger.valueOf(7));
  }

  private static byte[] read(String name) throws IOException {
    try (InputStream in = PemParserTest.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "PKCS#8 RSA, rsa-pkcs8.pem, rsa-certificate.pem, SHA256withRSA",
    "PKCS#1 RSA, rsa-pkcs1.pem, rsa-certificate.pem, SHA256withRSA",
    "PKCS#8 EC, ec-pkcs8.pem, ec-certificate.pem, SHA256withECDSA",
    "SEC1 EC after its parameters, ec-sec1.pem, ec-certificate.pem, SHA256withECDSA",
  })
  void aKeyInEachFormSignsForItsCertificate(
      String name, String keyFile, String certificateFile, String algorithm) throws Exception {
    PrivateKey key = PemParser.privateKey(read(keyFile));
    X509Certificate certificate = PemParser.certificates(read(certificateFile)).getFirst();
    Signature signing = Signature.getInstance(algorithm);
    signing.initSign(key);
    signing.update(name.getBytes(UTF_8));
    Signature checking = Signature.getInstance(algorithm);
    checking.initVerify(certificate);
    checking.update(name.getBytes(UTF_8));
    assertThat(checking.verify(signing.sign())).isTrue();
  }

  @Test
  void aLargerCurveIsTakenFromTheKeyItself() throws Exception {
    assertThat(PemParser.privateKey(read("ec384-sec1.pem")).getAlgorithm()).isEqualTo("EC");
  }

  @Test
  void aBundleGivesAllItsCertificates() throws Exception {
    String bundle =
        new String(read("rsa-certificate.pem"), UTF_8)
            + "some words between\n"
            + new String(read("ec-certificate.pem"), UTF_8);
    assertThat(PemParser.certificates(bundle.getBytes(UTF_8))).hasSize(2);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "not PEM at all, hello, no PEM block",
    "cut off, -----BEGIN PRIVATE KEY-----, has no end",
    "header cut off, -----BEGIN PRIVATE, no closing dashes",
    "not DER, -----BEGIN EC PRIVATE KEY-----AAAA-----END EC PRIVATE KEY-----, DER",
    "only a certificate, -----BEGIN CERTIFICATE-----AAAA-----END CERTIFICATE-----, no PEM block",
  })
  void damageIsNamed(String name, String text, String message) {
    assertThatThrownBy(() -> PemParser.privateKey(text.getBytes(UTF_8)))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessageContaining(message);
  }

  @Test
  void everyCutOfAKeyIsAnErrorAndNothingElse() throws Exception {
    byte[] whole = read("ec384-sec1.pem");
    String text = new String(whole, UTF_8);
    int start = text.indexOf('\n') + 1;
    int end = text.indexOf("-----END");
    byte[] der = java.util.Base64.getMimeDecoder().decode(text.substring(start, end));
    for (int length = 0; length < der.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(der, length);
      String pem =
          "-----BEGIN EC PRIVATE KEY-----\n"
              + java.util.Base64.getEncoder().encodeToString(cut)
              + "\n-----END EC PRIVATE KEY-----\n";
      assertThatThrownBy(() -> PemParser.privateKey(pem.getBytes(UTF_8)))
          .isInstanceOf(GeneralSecurityException.class);
    }
  }

  @Test
  void anEncryptedKeySaysSo() {
    assertThatThrownBy(() -> PemParser.privateKey(read("ec-encrypted.pem")))
        .hasMessageContaining("encrypted");
  }

  @Test
  void aKeyEncryptedInTheOlderFormSaysSo() {
    byte[] pem =
        """
        -----BEGIN RSA PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,00

        AAAA
        -----END RSA PRIVATE KEY-----
        """
            .getBytes(UTF_8);
    assertThatThrownBy(() -> PemParser.privateKey(pem)).hasMessageContaining("encrypted");
  }

  @Test
  void whatIsWrittenIsReadAgain() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
    X509Certificate certificate = PemParser.certificates(read("ec-certificate.pem")).getFirst();
    String text =
        PemWriter.privateKey(pair.getPrivate())
            + PemWriter.publicKey(pair.getPublic())
            + PemWriter.certificates(List.of(certificate));
    assertThat(PemParser.privateKey(text.getBytes(UTF_8))).isEqualTo(pair.getPrivate());
    assertThat(PemParser.publicKeys(text.getBytes(UTF_8))).containsExactly(pair.getPublic());
    assertThat(PemParser.certificates(text.getBytes(UTF_8))).containsExactly(certificate);
    assertThat(PemParser.isEncryptedKey(text.getBytes(UTF_8))).isFalse();
  }

  /// Every byte of a file may be damaged; what comes out is a key, a certificate or the one error.
  @Test
  void noTextBreaksTheParser() throws Exception {
    RandomGenerator random = new SplittableRandom(11);
    for (String name : List.of("ec-sec1.pem", "rsa-pkcs1.pem", "ec-certificate.pem")) {
      byte[] whole = read(name);
      for (int round = 0; round < 300; round++) {
        byte[] damaged = whole.clone();
        for (int changes = random.nextInt(4); changes >= 0; changes--) {
          damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(128);
        }
        try {
          PemParser.privateKeyIn(damaged);
          PemParser.certificatesIn(damaged);
        } catch (GeneralSecurityException _) {
          continue;
        }
      }
    }
  }
}
