package io.fairlead.proxy.health;

import io.fairlead.api.json.Json;
import io.fairlead.proxy.http.HttpEndpoint.Answer;
import io.fairlead.proxy.http.HttpEndpoint.Question;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;

/// Answers `/healthz` (shall load balancers send traffic here), `/livez` (does the proxy work) and
/// `/readyz` (has it written rules for every family).
public final class HealthPaths implements Function<Question, Answer> {
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final ProxyHealth health;
  private final ObjIntConsumer<String> counter;

  /// @param counter is told of every answer: path and status
  public HealthPaths(ProxyHealth health, ObjIntConsumer<String> counter) {
    this.health = health;
    this.counter = counter;
  }

  @Override
  public Answer apply(Question question) {
    return switch (question.path()) {
      case "/healthz" -> answer("/healthz", true, health.isHealthy() && health.isEligible());
      case "/livez" -> answer("/livez", false, health.isHealthy());
      case "/readyz" ->
          Answer.text(
              health.isReady() ? OK : UNAVAILABLE, health.isReady() ? "ok" : "not programmed yet");
      default -> Answer.notFound();
    };
  }

  private Answer answer(String path, boolean withNode, boolean good) {
    int status = good ? OK : UNAVAILABLE;
    counter.accept(path, status);
    return new Answer(status, "application/json", Map.of(), Json.bytes(health.body(withNode)));
  }
}
