package io.fairlead.server.pki;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.auth.Authenticator;
import io.fairlead.server.auth.CertificateAuthenticator;
import io.fairlead.server.auth.RequestAuthenticator;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.pki.CertificateSigner.Request;
import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBMPString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERT61String;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.DERUniversalString;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
    return request(new X500Name(subject), signing, names);
  }

  private String request(X500Name subject, KeyPair signing, GeneralName... names) throws Exception {
    JcaPKCS10CertificationRequestBuilder builder =
        new JcaPKCS10CertificationRequestBuilder(subject, key.getPublic());
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

  private static X509Certificate certificate(String pem) throws CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
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
    X509Certificate certificate = certificate(signed);
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

  /// A subject, as an attacker writes it.
  private record Subject(String name, X500Name asked) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Subject subject(String name, ASN1Encodable group) {
    return new Subject(
        name,
        new X500NameBuilder()
            .addRDN(BCStyle.O, group)
            .addRDN(BCStyle.CN, new DERUTF8String("bob"))
            .build());
  }

  static Stream<Subject> subjects() {
    String masters = "system:masters";
    byte[] wide = new byte[4 * masters.length()];
    for (int i = 0; i < masters.length(); i++) {
      wide[4 * i + 3] = (byte) masters.charAt(i);
    }
    ASN1Encodable[] both = {new DERUTF8String("bob"), new DERUTF8String(masters)};
    return Stream.of(
        subject("four bytes a character", new DERUniversalString(wide)),
        subject("two bytes a character", new DERBMPString(masters)),
        subject("Latin-1", new DERT61String(masters)),
        subject("no text", new DEROctetString(masters.getBytes(StandardCharsets.US_ASCII))),
        subject("hexadecimal", new DERUTF8String("#0c0e73797374656d3a6d617374657273")),
        subject("escaped hexadecimal", new DERUTF8String("\\#0c0e73797374656d3a6d617374657273")),
        subject("a second part in the text", new DERUTF8String("a,O=" + masters)),
        subject("a second value in the text", new DERUTF8String("a+O=" + masters)),
        subject("quotes", new DERUTF8String("\"" + masters + "\"")),
        subject("a blank behind", new DERUTF8String(masters + " ")),
        subject("a blank before", new DERUTF8String(" " + masters)),
        subject("backslashes", new DERUTF8String("\\" + masters + "\\\\")),
        subject("a line break", new DERUTF8String(masters + "\r\n")),
        subject("a zero", new DERUTF8String(masters + "\0")),
        new Subject(
            "two values in one part",
            new X500NameBuilder()
                .addMultiValuedRDN(new ASN1ObjectIdentifier[] {BCStyle.CN, BCStyle.O}, both)
                .build()));
  }

  /// The groups that were looked at before the request was signed are those that its certificate
  /// gives; and what cannot be read for certain is not signed.
  @ParameterizedTest
  @MethodSource("subjects")
  void aCertificateGivesWhatWasRead(Subject row) throws Exception {
    String pem = request(row.asked(), key);
    Optional<Request> read = signer.read(pem);
    Optional<String> signed = signer.sign(pem, false, Duration.ofHours(1));
    assertThat(signed.isPresent()).isEqualTo(read.isPresent());
    if (read.isPresent()) {
      X509Certificate certificate = certificate(signed.orElseThrow());
      UserInfo user =
          new RequestAuthenticator(
                  new CertificateAuthenticator(
                      new ClientCertificateVerifier(List.of(ca)), InstantSource.fixed(NOW)),
                  List.of(),
                  false,
                  InstantSource.fixed(NOW))
              .authenticate(new Authenticator.Credentials(certificate, null));
      assertThat(user.name()).isEqualTo(read.get().commonName());
      List<String> groups = new ArrayList<>(read.get().organizations());
      groups.add("system:authenticated");
      assertThat(user.groups()).isEqualTo(groups);
    }
  }
}
