package io.fairlead.server.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.util.io.pem.PemObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Real handshakes on loopback.
class ServerTlsTest {
  static final char[] PASSWORD = "x".toCharArray();

  @TempDir Path temporary;

  // JSSE clients judge by the true clock.
  final Instant now = InstantSource.system().instant();

  Pki pki(String name, Instant at) {
    return Pki.open(temporary.resolve(name), PkiTest.options(at, "localhost", "127.0.0.1"));
  }

  @Test
  void aClientSeesItsCertificateArrive() throws Exception {
    Pki pki = pki("a", now);
    assertThat(handshake(pki, pki.admin()))
        .isEqualTo(pki.admin().certificate().getSubjectX500Principal().getName());
  }

  @Test
  void aClientWithoutCertificateIsWelcome() throws Exception {
    assertThat(handshake(pki("a", now), null)).isEqualTo("none");
  }

  @Test
  void aForeignCertificatePassesTheHandshakeAndFailsTheJudgement() throws Exception {
    Pki pki = pki("a", now);
    CertificateWithKey foreign = pki("b", now).admin();
    assertThat(handshake(pki, foreign)).contains("system:admin");
    assertThat(pki.clientTrust().problem(foreign.certificate(), List.of(), now))
        .hasValueSatisfying(why -> assertThat(why).contains("not signed by the client CA"));
  }

  @Test
  void anExpiredCertificatePassesTheHandshakeAndFailsTheJudgement() throws Exception {
    Pki pki = pki("a", now);
    CertificateWithKey old = pki.admin();
    Instant later = old.certificate().getNotAfter().toInstant().plusSeconds(1);
    assertThat(handshake(pki, old)).contains("system:admin");
    assertThat(pki.clientTrust().problem(old.certificate(), List.of(), later))
        .hasValueSatisfying(why -> assertThat(why).startsWith("it expired at "));
  }

  @Test
  void aServingCertificateIsNoClientCertificate() {
    Pki pki = pki("a", now);
    assertThat(pki.clientTrust().problem(pki.servingCertificate(), List.of(), now))
        .contains("it is not meant for clients");
  }

  @Test
  void aCertificateFromTheFutureIsRefused() {
    Pki pki = pki("a", now);
    Instant before = now.minus(Duration.ofDays(2));
    assertThat(pki.clientTrust().problem(pki.admin().certificate(), List.of(), before))
        .hasValueSatisfying(why -> assertThat(why).startsWith("it is not valid before "));
  }

  record KeyForm(String name, String algorithm, int bits, boolean traditional, String label) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<KeyForm> keyForms() {
    return Stream.of(
        new KeyForm("RSA as PKCS#8", "RSA", 2048, false, "BEGIN PRIVATE KEY"),
        new KeyForm("RSA as PKCS#1", "RSA", 2048, true, "BEGIN RSA PRIVATE KEY"),
        new KeyForm("EC as PKCS#8", "EC", 256, false, "BEGIN PRIVATE KEY"),
        new KeyForm("EC P-384 as SEC 1", "EC", 384, true, "BEGIN EC PRIVATE KEY"));
  }

  @ParameterizedTest
  @MethodSource("keyForms")
  void aBroughtCertificateIsServed(KeyForm form) throws Exception {
    Pki own = pki("own", now);
    KeyPairGenerator generator = KeyPairGenerator.getInstance(form.algorithm());
    generator.initialize(form.bits());
    KeyPair key = generator.generateKeyPair();
    String keyText =
        form.traditional()
            ? traditional(key)
            : "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(key.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
    assertThat(keyText).contains(form.label());
    Pki pki = broughtBy(own, key, keyText, "brought");
    assertThat(pki.servingCertificate().getPublicKey()).isEqualTo(key.getPublic());
    assertThat(pki.servingTrustPem()).contains(own.caPem());
    assertThat(handshake(pki, null)).isEqualTo("none");
  }

  @Test
  void aKeyThatDoesNotFitIsRefused() throws Exception {
    Pki own = pki("own", now);
    KeyPair key = new CertificateIssuer().newKey();
    KeyPair other = new CertificateIssuer().newKey();
    assertThatThrownBy(
            () -> broughtBy(own, key, PemCodec.privateKey(other.getPrivate()), "brought"))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("does not belong to the first certificate");
  }

  @Test
  void anEncryptedKeyIsRefusedByName() throws Exception {
    Pki own = pki("own", now);
    KeyPair key = new CertificateIssuer().newKey();
    String encrypted =
        "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n"
            + "-----END EC PRIVATE KEY-----\n";
    assertThatThrownBy(() -> broughtBy(own, key, encrypted, "brought"))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("encrypted with a password");
  }

  @Test
  void aCertificateFileAloneIsRefused() {
    assertThatThrownBy(
            () ->
                new PkiOptions(
                    List.of(),
                    Optional.empty(),
                    Optional.of(Path.of("tls.crt")),
                    Optional.empty(),
                    InstantSource.system()))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("without --tls-private-key-file");
  }

  @Test
  void aBroughtClientCaReplacesTheOwn() throws Exception {
    Pki own = pki("own", now);
    Pki other = pki("other", now);
    Path caFile = Files.writeString(temporary.resolve("client-ca.crt"), other.caPem());
    Pki pki =
        Pki.open(
            temporary.resolve("own"),
            new PkiOptions(
                List.of("localhost"),
                Optional.of(caFile),
                Optional.empty(),
                Optional.empty(),
                InstantSource.fixed(now)));
    assertThat(pki.clientTrust().problem(other.admin().certificate(), List.of(), now)).isEmpty();
    assertThat(pki.clientTrust().problem(own.admin().certificate(), List.of(), now)).isPresent();
  }

  @Test
  void anIntermediateCaLeadsToTheClientCa() {
    CertificateIssuer issuer = new CertificateIssuer();
    KeyPair rootKey = issuer.newKey();
    X509Certificate root = issuer.authority(rootKey, now, Duration.ofDays(10));
    // An intermediate: a CA of the same make, signed by the root instead of itself.
    KeyPair middleKey = issuer.newKey();
    X509Certificate middle =
        issuer.intermediate(
            new CertificateWithKey(List.of(root), rootKey.getPrivate()),
            middleKey,
            now,
            Duration.ofDays(9));
    KeyPair leafKey = issuer.newKey();
    X509Certificate leaf =
        issuer.leaf(
            new CertificateWithKey(List.of(middle), middleKey.getPrivate()),
            leafKey.getPublic(),
            CertificateSubject.client("jane", List.of("dev")),
            now,
            Duration.ofDays(8));
    ClientCertificateVerifier trust = new ClientCertificateVerifier(List.of(root));
    assertThat(trust.problem(leaf, List.of(middle, root), now)).isEmpty();
    assertThat(trust.problem(leaf, List.of(), now)).isPresent();
  }

  private Pki broughtBy(Pki own, KeyPair key, String keyText, String name) throws Exception {
    CertificateWithKey authority =
        new CertificateWithKey(
            PemCodec.certificates(temporary.resolve("own/ca.crt"), "CA"),
            PemCodec.privateKey(temporary.resolve("own/ca.key"), "key"));
    X509Certificate certificate =
        new CertificateIssuer()
            .leaf(
                authority,
                key.getPublic(),
                CertificateSubject.server("api.example.com", List.of("localhost")),
                now,
                Duration.ofDays(30));
    Path certificateFile =
        Files.writeString(
            temporary.resolve("tls.crt"),
            PemCodec.certificates(List.of(certificate)) + own.caPem());
    Path keyFile = Files.writeString(temporary.resolve("tls.key"), keyText);
    return Pki.open(
        temporary.resolve(name),
        new PkiOptions(
            List.of(),
            Optional.empty(),
            Optional.of(certificateFile),
            Optional.of(keyFile),
            InstantSource.fixed(now)));
  }

  private static String traditional(KeyPair key) throws Exception {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      if (key.getPrivate() instanceof java.security.interfaces.ECPrivateKey ec) {
        // As openssl writes it: with the curve inside.
        writer.writeObject(
            new PemObject(
                "EC PRIVATE KEY",
                new ECPrivateKey(384, ec.getS(), SECObjectIdentifiers.secp384r1).getEncoded()));
      } else {
        writer.writeObject(key);
      }
    }
    return text.toString();
  }

  /// The subject the server saw, `none` without a client certificate.
  private static String handshake(Pki pki, @Nullable CertificateWithKey client) throws Exception {
    try (SSLServerSocket server =
        (SSLServerSocket) pki.serverContext().getServerSocketFactory().createServerSocket(0)) {
      server.setWantClientAuth(true);
      CompletableFuture<String> seen = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(
              () -> {
                try (SSLSocket accepted = (SSLSocket) server.accept()) {
                  accepted.startHandshake();
                  accepted.getOutputStream().write('!');
                  accepted.getOutputStream().flush();
                  seen.complete(peer(accepted));
                } catch (Exception e) {
                  seen.completeExceptionally(e);
                }
              });
      try (SSLSocket socket =
          (SSLSocket)
              clientContext(pki, client)
                  .getSocketFactory()
                  .createSocket("localhost", server.getLocalPort())) {
        var parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        assertThat(socket.getInputStream().read()).isEqualTo('!');
      }
      return seen.get();
    }
  }

  private static String peer(SSLSocket socket) {
    try {
      return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
          .getSubjectX500Principal()
          .getName();
    } catch (SSLPeerUnverifiedException e) {
      return "none";
    }
  }

  private static SSLContext clientContext(Pki pki, @Nullable CertificateWithKey client)
      throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, PASSWORD);
    int index = 0;
    for (Certificate one :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(
                new ByteArrayInputStream(
                    pki.servingTrustPem().getBytes(StandardCharsets.US_ASCII)))) {
      trusted.setCertificateEntry("ca" + index++, one);
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        client == null ? null : new KeyManager[] {new FixedCertificateKeyManager(client)},
        trust.getTrustManagers(),
        null);
    return context;
  }
}
