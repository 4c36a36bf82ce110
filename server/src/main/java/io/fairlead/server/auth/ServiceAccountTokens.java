package io.fairlead.server.auth;

import io.fairlead.api.json.Json;
import io.fairlead.server.pki.Pki;
import io.fairlead.server.resource.ClusterReader;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Issues and checks the tokens of service accounts.
///
/// How it works: a token is a JWT signed with the cluster's token key. It is good while its time
/// runs, for the audiences it names, and while the account (and the pod, node or secret it is bound
/// to) exists with the same uid. The signature of a token is checked once and remembered by the
/// token's hash; time, audience and existence are checked for every request, so that deleting an
/// account ends its tokens at once.
///
/// Safe for all threads.
public final class ServiceAccountTokens implements TokenIssuer, TokenAuthenticator {
  private static final String KUBERNETES = "kubernetes.io";
  private static final String EXTRA = "authentication.kubernetes.io/";

  /// Clocks of two servers may differ by this much when one checks what the other just issued.
  private static final Duration CLOCK_SKEW = Duration.ofSeconds(60);

  private static final int MOST_REMEMBERED = 4096;

  private final Pki.TokenKeys keys;
  private final String issuer;
  private final ClusterReader reader;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final SequencedMap<String, PublicKey> keysById = new LinkedHashMap<>();
  private final BoundedCache<String, ObjectNode> verified = new BoundedCache<>(MOST_REMEMBERED);

  /// @param issuer `iss` of the tokens and, unless the request says otherwise, their audience
  public ServiceAccountTokens(
      Pki.TokenKeys keys,
      String issuer,
      ClusterReader reader,
      InstantSource clock,
      RandomGenerator random) {
    this.keys = keys;
    this.issuer = issuer;
    this.reader = reader;
    this.clock = clock;
    this.random = random;
    keys.publicKeys().forEach(key -> keysById.put(Jwt.keyId(key), key));
  }

  @Override
  public Token issue(Request request) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    Instant expires = now.plusSeconds(request.seconds());
    List<String> audiences = request.audiences().isEmpty() ? List.of(issuer) : request.audiences();
    ObjectNode claims = Json.object();
    ArrayNode forWhom = claims.putArray("aud");
    audiences.forEach(forWhom::add);
    claims
        .put("exp", expires.getEpochSecond())
        .put("iat", now.getEpochSecond())
        .put("iss", issuer)
        .put("jti", new UUID(random.nextLong(), random.nextLong()).toString());
    ObjectNode own = claims.putObject(KUBERNETES).put("namespace", request.namespace());
    reference(own, "serviceaccount", request.account(), request.accountUid());
    if (request.boundKind() != null) {
      bind(own, request.boundKind(), request);
    }
    claims
        .put("nbf", now.getEpochSecond())
        .put("sub", ServiceAccountUser.name(request.namespace(), request.account()));
    return new Token(
        Jwt.sign(claims, keysById.firstEntry().getKey(), keys.signing()), expires, audiences);
  }

  @Override
  public List<String> audiences() {
    return List.of(issuer);
  }

  private void bind(ObjectNode own, String kind, Request request) {
    switch (kind) {
      case "Pod" -> {
        reference(own, "pod", request.boundName(), request.boundUid());
        ObjectNode pod = reader.get("", "pods", request.namespace(), request.boundName());
        String node = pod == null ? "" : Json.textOr(pod, "", "spec", "nodeName");
        ObjectNode found = node.isEmpty() ? null : reader.get("", "nodes", "", node);
        if (found != null) {
          reference(own, "node", node, Json.textOr(found, "", "metadata", "uid"));
        }
      }
      case "Node" -> reference(own, "node", request.boundName(), request.boundUid());
      case "Secret" -> reference(own, "secret", request.boundName(), request.boundUid());
      default -> throw new IllegalArgumentException("a token cannot be bound to a " + kind);
    }
  }

  private static void reference(ObjectNode own, String what, String name, String uid) {
    own.putObject(what).put("name", name).put("uid", uid);
  }

  @Override
  public Outcome authenticate(String token, List<String> audiences) {
    if (!Jwt.looksLikeOne(token)) {
      return new Outcome.NotMine();
    }
    try {
      ObjectNode claims = verifiedClaims(token);
      List<String> wanted = audiences.isEmpty() ? List.of(issuer) : audiences;
      List<String> matching = new ArrayList<>(wanted);
      matching.retainAll(strings(claims.path("aud")));
      Instant now = clock.instant();
      String problem = timeProblem(claims, now);
      if (problem == null && matching.isEmpty()) {
        problem = "it is for " + claims.path("aud") + ", not for " + wanted;
      }
      if (problem == null) {
        problem = existenceProblem(claims, now);
      }
      return problem == null
          ? new Outcome.Known(user(claims), matching)
          : new Outcome.Wrong(Json.textOr(claims, "", "sub") + ": " + problem);
    } catch (Jwt.JwtException e) {
      return new Outcome.Wrong(e.problem());
    }
  }

  private ObjectNode verifiedClaims(String token) throws Jwt.JwtException {
    if (token.length() > Jwt.MAX_LENGTH) {
      throw new Jwt.JwtException("it is longer than " + Jwt.MAX_LENGTH + " characters");
    }
    String hash = HexFormat.of().formatHex(Jwt.sha256(token.getBytes(StandardCharsets.UTF_8)));
    ObjectNode known = verified.get(hash);
    if (known != null) {
      return known;
    }
    Jwt jwt = Jwt.parse(token);
    if (!Json.textOr(jwt.claims(), "", "iss").equals(issuer)) {
      throw new Jwt.JwtException("its issuer is not " + issuer);
    }
    if (candidates(jwt.keyId()).stream().noneMatch(jwt::isSignedBy)) {
      throw new Jwt.JwtException("its signature is of none of our keys");
    }
    verified.put(hash, jwt.claims());
    return jwt.claims();
  }

  private List<PublicKey> candidates(String keyId) {
    if (keyId.isEmpty()) {
      return List.copyOf(keysById.values());
    }
    PublicKey key = keysById.get(keyId);
    return key == null ? List.of() : List.of(key);
  }

  private static @Nullable String timeProblem(ObjectNode claims, Instant now) {
    Long expires = Jwt.seconds(claims, "exp");
    Long notBefore = Jwt.seconds(claims, "nbf");
    if (expires == null) {
      return "it never expires";
    }
    if (now.getEpochSecond() >= expires) {
      return "it expired at second " + expires;
    }
    if (notBefore != null && now.plus(CLOCK_SKEW).getEpochSecond() < notBefore) {
      return "it is not valid before second " + notBefore;
    }
    return null;
  }

  private @Nullable String existenceProblem(ObjectNode claims, Instant now) {
    JsonNode own = claims.path(KUBERNETES);
    String namespace = Json.textOr(own, "", "namespace");
    String account = Json.textOr(own, "", "serviceaccount", "name");
    if (!Json.textOr(claims, "", "sub").equals(ServiceAccountUser.name(namespace, account))) {
      return "its subject is not the account it names";
    }
    List<BoundObject> needed = new ArrayList<>();
    needed.add(bound(own, "serviceaccount", "serviceaccounts", namespace));
    if (own.has("pod")) {
      needed.add(bound(own, "pod", "pods", namespace));
    } else if (own.has("secret")) {
      needed.add(bound(own, "secret", "secrets", namespace));
    } else if (own.has("node")) {
      needed.add(bound(own, "node", "nodes", ""));
    }
    for (BoundObject object : needed) {
      String problem = object.problem(reader, now);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private static BoundObject bound(JsonNode own, String claim, String plural, String namespace) {
    return new BoundObject(
        plural, namespace, Json.textOr(own, "", claim, "name"), Json.textOr(own, "", claim, "uid"));
  }

  private static UserInfo user(ObjectNode claims) {
    JsonNode own = claims.path(KUBERNETES);
    Map<String, List<String>> extra = new LinkedHashMap<>();
    String id = Json.textOr(claims, "", "jti");
    if (!id.isEmpty()) {
      extra.put(CertificateAuthenticator.CREDENTIAL_ID, List.of("JTI=" + id));
    }
    for (String what : List.of("pod", "node")) {
      for (String part : List.of("name", "uid")) {
        String value = Json.text(own, what, part);
        if (value != null) {
          extra.put(EXTRA + what + "-" + part, List.of(value));
        }
      }
    }
    return ServiceAccountUser.user(
        Json.textOr(own, "", "namespace"),
        Json.textOr(own, "", "serviceaccount", "name"),
        Json.textOr(own, "", "serviceaccount", "uid"),
        extra);
  }

  /// `aud` may be one string or a list (RFC 7519 4.1.3).
  private static List<String> strings(JsonNode node) {
    List<String> values = new ArrayList<>();
    if (node.isString()) {
      values.add(node.stringValue());
    }
    node.forEach(
        item -> {
          if (item.isString()) {
            values.add(item.stringValue());
          }
        });
    return values;
  }
}
