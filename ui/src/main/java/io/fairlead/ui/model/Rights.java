package io.fairlead.ui.model;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ObjectNode;

/// What one user may do, as the API server says; answers count for half a minute. Safe for all
/// threads.
public final class Rights {
  private static final ResourceType REVIEWS =
      new ResourceType(
          "authorization.k8s.io",
          "v1",
          "selfsubjectaccessreviews",
          "SelfSubjectAccessReview",
          false);
  private static final Duration LIFE = Duration.ofSeconds(30);

  private final Client client;
  private final InstantSource clock;
  private final Map<Question, Answer> answers = new ConcurrentHashMap<>();

  /// @param client acts as the user
  public Rights(Client client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  /// @param resource with its subresource behind a slash
  /// @param namespace empty for all
  public record Question(String verb, String group, String resource, String namespace) {
    static Question list(ResourceType type, String namespace) {
      return new Question("list", type.group(), type.plural(), namespace);
    }
  }

  private record Answer(boolean allowed, Instant until) {}

  /// Whether the user may list objects of a kind there.
  public boolean mayList(ResourceType type, String namespace) {
    return may(Question.list(type, "")) || may(Question.list(type, namespace));
  }

  public boolean may(Question question) {
    Instant now = clock.instant();
    Answer known = answers.get(question);
    if (known != null && now.isBefore(known.until())) {
      return known.allowed();
    }
    boolean allowed = ask(question);
    answers.put(question, new Answer(allowed, now.plus(LIFE)));
    return allowed;
  }

  private boolean ask(Question question) {
    int slash = question.resource().indexOf('/');
    ObjectNode review = Json.object();
    review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
    ObjectNode attributes = review.putObject("spec").putObject("resourceAttributes");
    attributes
        .put("verb", question.verb())
        .put("group", question.group())
        .put("resource", slash < 0 ? question.resource() : question.resource().substring(0, slash));
    if (slash >= 0) {
      attributes.put("subresource", question.resource().substring(slash + 1));
    }
    if (!question.namespace().isEmpty()) {
      attributes.put("namespace", question.namespace());
    }
    try {
      return client.create(REVIEWS, "", review).path("status").path("allowed").asBoolean(false);
    } catch (ApiException | ConnectionException e) {
      // Who cannot ask may nothing.
      return false;
    }
  }
}
