package io.fairlead.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.Authenticator.Credentials;
import io.fairlead.server.pki.Pki;
import io.fairlead.server.pki.PkiOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RequestAuthenticatorTest {
  static final Instant START = Instant.parse("2026-11-15T08:00:00Z");

  @TempDir static Path temporary;
  static Pki pki;
  static Pki foreign;

  Instant now = START;

  @BeforeAll
  static void open() {
    pki = open("own");
    foreign = open("foreign");
  }

  static Pki open(String name) {
    return Pki.open(
        temporary.resolve(name),
        new PkiOptions(
            List.of("localhost"),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            InstantSource.fixed(START)));
  }

  RequestAuthenticator authenticator(boolean anonymous) {
    InstantSource clock = () -> now;
    return new RequestAuthenticator(
        new CertificateAuthenticator(pki.clientTrust(), clock),
        List.of(TokenFileAuthenticator.parse("good,jane,7,\"dev,ops\"", "tokens")),
        anonymous,
        clock);
  }

  /// @param user null for 401
  record Case(
      String name,
      @Nullable X509Certificate certificate,
      @Nullable String token,
      @Nullable String user) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    X509Certificate admin = pki.admin().certificate();
    X509Certificate stranger = foreign.admin().certificate();
    return Stream.of(
        new Case("nothing: anonymous", null, null, "system:anonymous [system:unauthenticated]"),
        new Case("certificate", admin, null, "system:admin [system:masters, system:authenticated]"),
        new Case(
            "node certificate",
            pki.node("n1").certificate(),
            null,
            "system:node:n1 [system:nodes, system:authenticated]"),
        new Case("token", null, "good", "jane [dev, ops, system:authenticated]"),
        new Case(
            "certificate wins over token",
            admin,
            "good",
            "system:admin [system:masters, system:authenticated]"),
        new Case(
            "good certificate, wrong token",
            admin,
            "bad",
            "system:admin [system:masters, system:authenticated]"),
        new Case(
            "foreign certificate, good token",
            stranger,
            "good",
            "jane [dev, ops, system:authenticated]"),
        new Case("wrong token is never anonymous", null, "bad", null),
        new Case("empty token is never anonymous", null, "", null),
        new Case("foreign certificate is never anonymous", stranger, null, null),
        new Case("foreign certificate, wrong token", stranger, "bad", null),
        new Case("serving certificate", pki.servingCertificate(), null, null));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void finds(Case row) {
    Credentials credentials = new Credentials(row.certificate(), row.token());
    if (row.user() == null) {
      assertThatThrownBy(() -> authenticator(true).authenticate(credentials))
          .isInstanceOfSatisfying(
              ApiException.class,
              e -> {
                assertThat(e.status().code()).isEqualTo(401);
                assertThat(e.status().message()).isEqualTo("Unauthorized");
              });
    } else {
      UserInfo user = authenticator(true).authenticate(credentials);
      assertThat(user.name() + " " + user.groups()).isEqualTo(row.user());
    }
  }

  @Test
  void withoutAnonymousNothingIsUnauthorized() {
    assertThatThrownBy(() -> authenticator(false).authenticate(new Credentials(null, null)))
        .hasMessage("Unauthorized");
  }

  @Test
  void aBelievedCertificateStillExpires() {
    RequestAuthenticator authenticator = authenticator(true);
    Credentials credentials = new Credentials(pki.admin().certificate(), null);
    now = START.plus(Duration.ofDays(365)).minusSeconds(1);
    assertThat(authenticator.authenticate(credentials).name()).isEqualTo("system:admin");
    now = START.plus(Duration.ofDays(365)).plusSeconds(1);
    assertThatThrownBy(() -> authenticator.authenticate(credentials)).hasMessage("Unauthorized");
  }

  @Test
  void theCredentialIsNamedForTheAuditLog() {
    UserInfo user =
        authenticator(true).authenticate(new Credentials(pki.admin().certificate(), null));
    assertThat(user.extra().toString())
        .matches("\\{authentication.kubernetes.io/credential-id=\\[X509SHA256=[0-9a-f]{64}]}");
  }

  @Test
  void aReviewedTokenIsAuthenticated() {
    assertThat(authenticator(true).review("good", List.of("db")).user().groups())
        .contains("system:authenticated");
    assertThatThrownBy(() -> authenticator(true).review("bad", List.of()))
        .isInstanceOf(ApiException.class);
  }

  record Offer(String name, List<String> offered, @Nullable String token, List<String> left) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String PREFIX = "base64url.bearer.authorization.k8s.io.";
  private static final String SECRET =
      PREFIX
          + Base64.getUrlEncoder()
              .withoutPadding()
              .encodeToString("secret".getBytes(StandardCharsets.UTF_8));

  static Stream<Offer> offers() {
    return Stream.of(
        new Offer("no token", List.of("v5.channel.k8s.io"), null, List.of("v5.channel.k8s.io")),
        new Offer("none at all", List.of(), null, List.of()),
        new Offer("token first", List.of(SECRET, "v4"), "secret", List.of("v4")),
        new Offer("token last", List.of("v5", "v4", SECRET), "secret", List.of("v5", "v4")));
  }

  @ParameterizedTest
  @MethodSource("offers")
  void webSocketToken(Offer row) {
    WebSocketBearer found = WebSocketBearer.of(row.offered());
    assertThat(found.token()).isEqualTo(row.token());
    assertThat(found.protocols()).isEqualTo(row.left());
  }

  static Stream<Offer> badOffers() {
    return Stream.of(
        new Offer("token alone", List.of(SECRET), null, List.of()),
        new Offer("two tokens", List.of(SECRET, SECRET, "v4"), null, List.of()),
        new Offer("no base64", List.of(PREFIX + "*", "v4"), null, List.of()),
        new Offer("no UTF-8", List.of(PREFIX + "_w", "v4"), null, List.of()));
  }

  @ParameterizedTest
  @MethodSource("badOffers")
  void webSocketTokenIsRefused(Offer row) {
    assertThatThrownBy(() -> WebSocketBearer.of(row.offered())).hasMessage("Unauthorized");
  }
}
