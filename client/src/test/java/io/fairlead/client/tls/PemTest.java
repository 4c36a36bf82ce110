package io.fairlead.client.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PemTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "PKCS#8 RSA, rsa-pkcs8.pem, rsa-certificate.pem, SHA256withRSA",
    "PKCS#1 RSA, rsa-pkcs1.pem, rsa-certificate.pem, SHA256withRSA",
    "PKCS#8 EC, ec-pkcs8.pem, ec-certificate.pem, SHA256withECDSA",
    "SEC1 EC after its parameters, ec-sec1.pem, ec-certificate.pem, SHA256withECDSA",
  })
  void aKeyInEachFormSignsForItsCertificate(
      String name, String keyFile, String certificateFile, String algorithm) throws Exception {
    PrivateKey key = Pem.privateKey(TestFiles.read(keyFile));
    X509Certificate certificate = Pem.certificates(TestFiles.read(certificateFile)).getFirst();
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
    assertThat(Pem.privateKey(TestFiles.read("ec384-sec1.pem")).getAlgorithm()).isEqualTo("EC");
  }

  @Test
  void aBundleGivesAllItsCertificates() throws Exception {
    String bundle =
        new String(TestFiles.read("rsa-certificate.pem"), UTF_8)
            + "some words between\n"
            + new String(TestFiles.read("ec-certificate.pem"), UTF_8);
    assertThat(Pem.certificates(bundle.getBytes(UTF_8))).hasSize(2);
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
    assertThatThrownBy(() -> Pem.privateKey(text.getBytes(UTF_8)))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessageContaining(message);
  }

  @Test
  void everyCutOfAKeyIsAnErrorAndNothingElse() throws Exception {
    byte[] whole = TestFiles.read("ec384-sec1.pem");
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
      assertThatThrownBy(() -> Pem.privateKey(pem.getBytes(UTF_8)))
          .isInstanceOf(GeneralSecurityException.class);
    }
  }

  @Test
  void anEncryptedKeySaysSo() {
    assertThatThrownBy(() -> Pem.privateKey(TestFiles.read("ec-encrypted.pem")))
        .hasMessageContaining("encrypted");
  }
}
