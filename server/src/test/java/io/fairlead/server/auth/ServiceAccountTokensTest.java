package io.fairlead.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.fairlead.server.auth.TokenAuthenticator.Outcome;
import io.fairlead.server.pki.Pki;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ServiceAccountTokensTest {
  static final String ISSUER = "https://kubernetes.default.svc.cluster.local";
  static final Instant START = Instant.parse("2026-11-15T08:00:00Z");
  static final KeyPair KEY = newKey();
  static final KeyPair OTHER_KEY = newKey();

  Instant now = START;
  final MapClusterReader reader = new MapClusterReader();
  final ServiceAccountTokens tokens = tokens(KEY, KEY);

  ServiceAccountTokensTest() {
    reader.put("", "serviceaccounts", "{'metadata':{'namespace':'ns','name':'bot','uid':'u1'}}");
    reader.put(
        "",
        "pods",
        "{'metadata':{'namespace':'ns','name':'p','uid':'p1'},'spec':{'nodeName':'worker'}}");
    reader.put("", "nodes", "{'metadata':{'name':'worker','uid':'n1'}}");
    reader.put("", "secrets", "{'metadata':{'namespace':'ns','name':'s','uid':'s1'}}");
  }

  ServiceAccountTokens tokens(KeyPair signing, KeyPair... accepted) {
    List<PublicKey> keys = new ArrayList<>();
    for (KeyPair pair : accepted) {
      keys.add(pair.getPublic());
    }
    InstantSource clock = () -> now;
    return new ServiceAccountTokens(
        new Pki.TokenKeys(signing.getPrivate(), keys),
        ISSUER,
        reader,
        clock,
        new SplittableRandom(7));
  }

  String issue(List<String> audiences, @Nullable String kind, String name, String uid) {
    return tokens
        .issue(new TokenIssuer.Request("ns", "bot", "u1", audiences, 600, kind, name, uid))
        .text();
  }

  String plain() {
    return issue(List.of(), null, "", "");
  }

  @Test
  void claimsSayWhatTheSpecAsksFor() throws Exception {
    Jwt jwt = Jwt.parse(issue(List.of(), "Pod", "p", "p1"));
    ObjectNode claims = jwt.claims();
    assertThat(claims.path("jti").asString()).matches("[0-9a-f-]{36}");
    claims.remove("jti");
    assertThat(claims)
        .isEqualTo(
            MapClusterReader.json(
                "{'aud':['"
                    + ISSUER
                    + "'],'exp':1794730200,'iat':1794729600,'iss':'"
                    + ISSUER
                    + "','kubernetes.io':{'namespace':'ns',"
                    + "'serviceaccount':{'name':'bot','uid':'u1'},'pod':{'name':'p','uid':'p1'},"
                    + "'node':{'name':'worker','uid':'n1'}},"
                    + "'nbf':1794729600,'sub':'system:serviceaccount:ns:bot'}"));
    assertThat(jwt.keyId()).isEqualTo(Jwt.keyId(KEY.getPublic()));
  }

  @Test
  void aGoodTokenIsItsAccount() {
    assertThat(tokens.authenticate(issue(List.of(), "Pod", "p", "p1"), List.of()))
        .isInstanceOfSatisfying(
            Outcome.Known.class,
            known -> {
              assertThat(known.user().name()).isEqualTo("system:serviceaccount:ns:bot");
              assertThat(known.user().uid()).isEqualTo("u1");
              assertThat(known.user().groups())
                  .containsExactly("system:serviceaccounts", "system:serviceaccounts:ns");
              assertThat(known.user().extra())
                  .containsEntry("authentication.kubernetes.io/pod-name", List.of("p"))
                  .containsEntry("authentication.kubernetes.io/pod-uid", List.of("p1"))
                  .containsEntry("authentication.kubernetes.io/node-name", List.of("worker"))
                  .containsKey("authentication.kubernetes.io/credential-id");
              assertThat(known.audiences()).containsExactly(ISSUER);
            });
  }

  /// @param token from a good token to the wrong one
  /// @param why what the log says; null where the token is not ours at all
  record Bad(String name, UnaryOperator<String> token, Runnable before, @Nullable String why) {
    @Override
    public String toString() {
      return name;
    }
  }

  Stream<Bad> bad() {
    Runnable nothing = () -> {};
    return Stream.of(
        new Bad("garbage", good -> "garbage", nothing, null),
        new Bad("empty", good -> "", nothing, null),
        new Bad("two parts", good -> good.substring(0, good.lastIndexOf('.')), nothing, null),
        new Bad("four parts", good -> good + ".x", nothing, null),
        new Bad("not base64", good -> "a*b.c.d", nothing, "header is not base64url"),
        new Bad("header is no JSON", good -> "AAAA.AAAA.AAAA", nothing, "header is no JSON"),
        new Bad(
            "header is a list",
            good -> base64("[]") + good.substring(good.indexOf('.')),
            nothing,
            "no JSON object"),
        new Bad(
            "algorithm none",
            good -> header("{'alg':'none'}", good),
            nothing,
            "algorithm is \"none\""),
        new Bad(
            "algorithm none without signature",
            good -> withoutSignature(header("{'alg':'none'}", good)),
            nothing,
            "algorithm is \"none\""),
        new Bad(
            "algorithm HS256 with the public key as secret",
            good -> header("{'alg':'HS256'}", good),
            nothing,
            "algorithm is \"HS256\""),
        new Bad(
            "demands an extension",
            good -> header("{'alg':'ES256','crit':['b64']}", good),
            nothing,
            "demands an extension"),
        new Bad(
            "unknown key id",
            good -> header("{'alg':'ES256','kid':'x'}", good),
            nothing,
            "none of our keys"),
        new Bad(
            "signature cut", good -> good.substring(0, good.length() - 2), nothing, "signature"),
        new Bad("signature of zeros", good -> zeroSignature(good), nothing, "none of our keys"),
        new Bad("claims changed", ServiceAccountTokensTest::otherAccount, nothing, "none of our"),
        new Bad("wrong key", good -> ofOtherKey(), nothing, "none of our keys"),
        new Bad("another issuer", good -> signed("iss", "https://else"), nothing, "its issuer"),
        new Bad("no expiry", good -> signed("exp", null), nothing, "never expires"),
        new Bad("expiry as text", good -> signed("exp", "tomorrow"), nothing, "never expires"),
        new Bad("subject of another", good -> signed("sub", "root"), nothing, "its subject"),
        new Bad("huge", good -> good + "A".repeat(1 << 20), nothing, "longer than"),
        new Bad("expired (P19)", good -> good, () -> now = START.plusSeconds(600), "it expired"),
        new Bad(
            "from the future",
            good -> good,
            () -> now = START.minusSeconds(61),
            "not valid before"),
        new Bad(
            "wrong audience (P19)",
            good -> issue(List.of("golden"), null, "", ""),
            nothing,
            "it is for [\"golden\"]"),
        new Bad(
            "deleted account (P19)",
            good -> good,
            () -> reader.remove("", "serviceaccounts", "ns", "bot"),
            "does not exist"),
        new Bad(
            "account made again",
            good -> good,
            () -> account("u2", ""),
            "not the one the token was made for"),
        new Bad(
            "account marked as deleted",
            good -> good,
            () -> account("u1", ",'deletionTimestamp':'2026-11-15T07:58:00Z'"),
            "was deleted"),
        new Bad(
            "bound pod gone",
            good -> issue(List.of(), "Pod", "p", "p1"),
            () -> reader.remove("", "pods", "ns", "p"),
            "pods ns/p does not exist"),
        new Bad(
            "bound pod made again",
            good -> issue(List.of(), "Pod", "p", "p0"),
            nothing,
            "not the one the token was made for"),
        new Bad(
            "bound secret gone",
            good -> issue(List.of(), "Secret", "s", "s1"),
            () -> reader.remove("", "secrets", "ns", "s"),
            "secrets ns/s does not exist"),
        new Bad(
            "bound node gone",
            good -> issue(List.of(), "Node", "worker", "n1"),
            () -> reader.remove("", "nodes", "", "worker"),
            "nodes worker does not exist"));
  }

  @TestFactory
  Stream<DynamicTest> badTokensAreRefused() {
    // Each row works on its own cluster and clock.
    return new ServiceAccountTokensTest()
        .bad()
        .map(Bad::name)
        .map(
            name ->
                DynamicTest.dynamicTest(name, () -> new ServiceAccountTokensTest().refuses(name)));
  }

  private void refuses(String name) {
    Bad row = bad().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
    String good = plain();
    assertThat(tokens.authenticate(good, List.of())).isInstanceOf(Outcome.Known.class);
    String wrong = row.token().apply(good);
    row.before().run();
    Outcome outcome = tokens.authenticate(wrong, List.of());
    if (row.why() == null) {
      assertThat(outcome).isInstanceOf(Outcome.NotMine.class);
    } else {
      assertThat(outcome)
          .isInstanceOfSatisfying(
              Outcome.Wrong.class, it -> assertThat(it.why()).contains(row.why()));
    }
  }

  @Test
  void aTerminatingPodKeepsItsTokenForItsLastCalls() {
    String token = issue(List.of(), "Pod", "p", "p1");
    reader.put(
        "",
        "pods",
        "{'metadata':{'namespace':'ns','name':'p','uid':'p1',"
            + "'deletionTimestamp':'2026-11-15T08:00:30Z'}}");
    assertThat(tokens.authenticate(token, List.of())).isInstanceOf(Outcome.Known.class);
    now = START.plusSeconds(91);
    assertThat(tokens.authenticate(token, List.of())).isInstanceOf(Outcome.Wrong.class);
  }

  @Test
  void aReviewForOtherAudiencesTellsWhichFit() {
    String token = issue(List.of("vault", "db"), null, "", "");
    assertThat(tokens.authenticate(token, List.of("db", "mail")))
        .isInstanceOfSatisfying(
            Outcome.Known.class, it -> assertThat(it.audiences()).containsExactly("db"));
  }

  @Test
  void tokensOfAnOlderKeyAreStillAccepted() {
    String old = plain();
    ServiceAccountTokens rotated = tokens(OTHER_KEY, OTHER_KEY, KEY);
    assertThat(rotated.authenticate(old, List.of())).isInstanceOf(Outcome.Known.class);
    assertThat(tokens(OTHER_KEY, OTHER_KEY).authenticate(old, List.of()))
        .isInstanceOf(Outcome.Wrong.class);
  }

  @Test
  void publishedKeysVerifyTheTokens() throws Exception {
    ObjectNode key =
        (ObjectNode) OpenIdDocuments.keys(List.of(KEY.getPublic())).path("keys").get(0);
    assertThat(key.path("kid").asString()).isEqualTo(Jwt.parse(plain()).keyId());
    assertThat(key.path("kty").asString()).isEqualTo("EC");
    assertThat(Base64.getUrlDecoder().decode(key.path("x").asString())).hasSize(32);
    assertThat(Base64.getUrlDecoder().decode(key.path("y").asString())).hasSize(32);
    assertThat(
            OpenIdDocuments.configuration(
                ISSUER, "https://127.0.0.1:6443/openid/v1/jwks", List.of(KEY.getPublic())))
        .isEqualTo(
            MapClusterReader.json(
                "{'issuer':'"
                    + ISSUER
                    + "','jwks_uri':'https://127.0.0.1:6443/openid/v1/jwks',"
                    + "'response_types_supported':['id_token'],"
                    + "'subject_types_supported':['public'],"
                    + "'id_token_signing_alg_values_supported':['ES256']}"));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void mutilatedTokensNeverPassAndNeverThrow(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    String good = plain();
    String signedPart = good.substring(0, good.lastIndexOf('.'));
    for (int i = 0; i < 400; i++) {
      StringBuilder text = new StringBuilder(good);
      for (int edits = random.nextInt(1, 4); edits > 0; edits--) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.setCharAt(at, (char) random.nextInt(1, 0x250));
          case 1 -> text.deleteCharAt(at);
          default -> text.insert(at, (char) random.nextInt(32, 127));
        }
      }
      String mutant = text.toString();
      assertThatCode(
              () -> {
                Outcome outcome = tokens.authenticate(mutant, List.of());
                if (!mutant.startsWith(signedPart + ".")) {
                  assertThat(outcome).as(mutant).isNotInstanceOf(Outcome.Known.class);
                }
              })
          .as("seed %d, round %d", seed, i)
          .doesNotThrowAnyException();
    }
  }

  static Stream<Long> seeds() {
    return Stream.of(1L, 2L, 3L);
  }

  private void account(String uid, String more) {
    reader.put(
        "",
        "serviceaccounts",
        "{'metadata':{'namespace':'ns','name':'bot','uid':'" + uid + "'" + more + "}}");
  }

  /// As the tokens of a cluster that kubeadm made.
  @Test
  void tokensOfAnRsaKeyAreSignedAndBelieved() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair rsa = generator.generateKeyPair();
    ServiceAccountTokens theirs = tokens(rsa, rsa);
    String token =
        theirs
            .issue(new TokenIssuer.Request("ns", "bot", "u1", List.of(), 600, null, "", ""))
            .text();
    assertThat(Jwt.parse(token).algorithm()).isEqualTo("RS256");
    assertThat(theirs.authenticate(token, List.of())).isInstanceOf(Outcome.Known.class);
    assertThat(tokens.authenticate(token, List.of())).isInstanceOf(Outcome.Wrong.class);
    JsonNode key = OpenIdDocuments.keys(List.of(rsa.getPublic())).path("keys").get(0);
    assertThat(key.path("kty").asString()).isEqualTo("RSA");
    assertThat(key.path("kid").asString()).isEqualTo(Jwt.parse(token).keyId());
    assertThat(key.path("e").asString()).isEqualTo("AQAB");
    assertThat(Base64.getUrlDecoder().decode(key.path("n").asString())).hasSize(256);
  }

  private static String header(String header, String good) {
    return base64(header) + good.substring(good.indexOf('.'));
  }

  private static String withoutSignature(String token) {
    return token.substring(0, token.lastIndexOf('.') + 1);
  }

  private static String zeroSignature(String token) {
    return withoutSignature(token)
        + Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[64]);
  }

  private static String otherAccount(String good) {
    String[] parts = good.split("\\.");
    String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
    return parts[0] + "." + base64(claims.replace("bot", "root")) + "." + parts[2];
  }

  private String ofOtherKey() {
    return tokens(OTHER_KEY, OTHER_KEY)
        .issue(new TokenIssuer.Request("ns", "bot", "u1", List.of(), 600, null, "", ""))
        .text();
  }

  /// A token signed with our key whose claim is changed; null removes it.
  private String signed(String claim, @Nullable String value) {
    try {
      ObjectNode claims = Jwt.parse(plain()).claims();
      if (value == null) {
        claims.remove(claim);
      } else {
        claims.put(claim, value);
      }
      return Jwt.sign(claims, Jwt.keyId(KEY.getPublic()), KEY.getPrivate());
    } catch (Jwt.JwtException e) {
      throw new AssertionError(e);
    }
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static KeyPair newKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
