package io.fairlead.server.resources;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.Authenticator;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.TokenIssuer;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resource.RequestContext;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A request without a server: objects that were put in before, a clock that stands still, and an
/// authorizer that allows what it is told to.
final class FakeContext implements RequestContext, ClusterReader {
  static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  final List<String> warnings = new ArrayList<>();
  int minor = 36;
  boolean dryRun;
  UserInfo user = new UserInfo("bob", "", List.of("system:authenticated"), Map.of());
  Authorizer.Decision decision = new Authorizer.Decision(true, "");
  final Set<String> claimed = new TreeSet<>();
  private final Map<String, ObjectNode> objects = new TreeMap<>();

  void put(String group, String plural, String namespace, ObjectNode object) {
    String name = object.at("/metadata/name").asString("");
    objects.put(String.join("|", group, plural, namespace, name), object);
  }

  @Override
  public @Nullable ObjectNode get(String group, String plural, String namespace, String name) {
    ObjectNode found = objects.get(String.join("|", group, plural, namespace, name));
    return found == null ? null : found.deepCopy();
  }

  @Override
  public List<ObjectNode> list(String group, String plural, String namespace) {
    String prefix = String.join("|", group, plural, namespace);
    List<ObjectNode> found = new ArrayList<>();
    objects.forEach(
        (key, object) -> {
          if (key.startsWith(prefix)) {
            found.add(object.deepCopy());
          }
        });
    return found;
  }

  @Override
  public List<Map<String, String>> labels(String group, String plural, String namespace) {
    List<Map<String, String>> found = new ArrayList<>();
    for (ObjectNode object : list(group, plural, namespace)) {
      Map<String, String> labels = new TreeMap<>();
      object
          .at("/metadata/labels")
          .properties()
          .forEach(label -> labels.put(label.getKey(), label.getValue().asString()));
      found.add(labels);
    }
    return found;
  }

  @Override
  public boolean isClaimed(String key) {
    return claimed.contains(key);
  }

  @Override
  public UserInfo user() {
    return user;
  }

  @Override
  public String namespace() {
    return "ns";
  }

  @Override
  public String verb() {
    return "create";
  }

  @Override
  public boolean dryRun() {
    return dryRun;
  }

  @Override
  public int emulatedMinor() {
    return minor;
  }

  @Override
  public InstantSource clock() {
    return InstantSource.fixed(NOW);
  }

  @Override
  public RandomGenerator random() {
    return new Random(1);
  }

  @Override
  public ClusterReader reader() {
    return this;
  }

  @Override
  public Authenticator authenticator() {
    return credentials -> {
      if ("good".equals(credentials.bearerToken())) {
        return user;
      }
      throw ApiException.unauthorized();
    };
  }

  @Override
  public Authorizer authorizer() {
    return new Authorizer() {
      @Override
      public Decision authorize(Attributes attributes) {
        return decision;
      }

      @Override
      public List<Rule> rules(UserInfo about, String namespace) {
        return List.of(
            new Rule(List.of("get"), List.of(""), List.of("pods"), List.of(), List.of()),
            new Rule(List.of("get"), List.of(), List.of(), List.of(), List.of("/healthz")));
      }
    };
  }

  @Override
  public TokenIssuer tokens() {
    return request ->
        new TokenIssuer.Token(
            "token-of-" + request.account(),
            NOW.plusSeconds(request.seconds()),
            request.audiences().isEmpty() ? List.of("api") : request.audiences());
  }

  @Override
  public void warn(String text) {
    warnings.add(text);
  }
}
