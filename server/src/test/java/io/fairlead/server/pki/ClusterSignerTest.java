package io.fairlead.server.pki;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.pki.CertificateSigner.Request;
import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.Test;

class ClusterSignerTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private final CertificateIssuer issuer = new CertificateIssuer();
  private final KeyPair key = issuer.newKey();
  private final KeyPair caKey = issuer.newKey();
  private final X509Certificate ca = issuer.authority(caKey, NOW, Duration.ofDays(100));
  private final ClusterSigner signer =
      new ClusterSigner(
          new CertificateWithKey(List.of(ca), caKey.getPrivate()), InstantSource.fixed(NOW));

  /// @param signing the key that signs the request; the sender's own when it is honest
  private String request(String subject, KeyPair signing, GeneralName... names) throws Exception {
    JcaPKCS10CertificationRequestBuilder builder =
        new JcaPKCS10CertificationRequestBuilder(new X500Name(subject), key.getPublic());
    if (names.length > 0) {
      ExtensionsGenerator generator = new ExtensionsGenerator();
      generator.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
      Extensions extensions = generator.generate();
      builder.addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, extensions);
    }
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(
          builder.build(
              new JcaContentSignerBuilder("SHA256withECDSA").build(signing.getPrivate())));
    }
    return text.toString();
  }

  @Test
  void aRequestIsReadAndSigned() throws Exception {
    String pem =
        request(
            "CN=bob,O=dev,O=ops",
            key,
            new GeneralName(GeneralName.dNSName, "bob.example"),
            new GeneralName(GeneralName.iPAddress, "10.0.0.1"));
    assertThat(signer.read(pem))
        .contains(
            new Request("bob", List.of("dev", "ops"), List.of("bob.example", "10.0.0.1"), false));
    String signed = signer.sign(pem, false, Duration.ofHours(1)).orElseThrow();
    X509Certificate certificate =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(
                    new ByteArrayInputStream(signed.getBytes(StandardCharsets.US_ASCII)));
    certificate.verify(ca.getPublicKey());
    assertThat(certificate.getPublicKey()).isEqualTo(key.getPublic());
    assertThat(certificate.getSubjectX500Principal().getName())
        .contains("CN=bob", "O=dev", "O=ops");
    assertThat(certificate.getNotAfter().toInstant()).isEqualTo(NOW.plus(Duration.ofHours(1)));
    assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
    assertThat(certificate.getBasicConstraints()).as("no CA").isEqualTo(-1);
  }

  @Test
  void namesOfOtherSortsAreSeen() throws Exception {
    String pem = request("CN=bob", key, new GeneralName(GeneralName.rfc822Name, "bob@example.com"));
    assertThat(signer.read(pem).orElseThrow().otherNames()).isTrue();
  }

  @Test
  void whoDoesNotHaveTheKeyGetsNothing() throws Exception {
    String pem = request("CN=bob", issuer.newKey());
    assertThat(signer.read(pem)).isEmpty();
    assertThat(signer.sign(pem, false, Duration.ofHours(1))).isEmpty();
  }

  @Test
  void whatIsNoRequestIsNotSigned() {
    assertThat(signer.read("junk")).isEmpty();
    assertThat(signer.sign("junk", false, Duration.ofHours(1))).isEmpty();
  }
}
