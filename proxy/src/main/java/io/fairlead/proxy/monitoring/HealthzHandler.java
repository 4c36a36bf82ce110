package io.fairlead.proxy.monitoring;

import io.fairlead.api.json.Json;
import io.fairlead.http.status.LoopHealth;
import io.fairlead.http.status.StatusPage;
import io.fairlead.http.status.StatusRequest;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import tools.jackson.databind.node.ObjectNode;

/// Answers `/healthz` (shall load balancers send traffic here), `/livez` (does the proxy work) and
/// `/readyz` (has it written rules for every family). A loop that fails shows in the text of the
/// first two and changes no code: see [LoopHealth].
public final class HealthzHandler implements Function<StatusRequest, StatusPage> {
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final ProxyHealth health;
  private final ObjIntConsumer<String> counter;

  /// @param counter counts every answer: path and status
  public HealthzHandler(ProxyHealth health, ObjIntConsumer<String> counter) {
    this.health = health;
    this.counter = counter;
  }

  @Override
  public StatusPage apply(StatusRequest request) {
    return switch (request.path()) {
      case "/healthz" -> answer("/healthz", true, health.isHealthy() && health.isEligible());
      case "/livez" -> answer("/livez", false, health.isHealthy());
      case "/readyz" ->
          StatusPage.text(
              health.isReady() ? OK : UNAVAILABLE, health.isReady() ? "ok" : "not programmed yet");
      default -> StatusPage.notFound();
    };
  }

  private StatusPage answer(String path, boolean withNode, boolean good) {
    int status = good ? OK : UNAVAILABLE;
    counter.accept(path, status);
    ObjectNode body = health.body(withNode);
    LoopHealth.problem().ifPresent(why -> body.put(LoopHealth.NAME, why));
    return new StatusPage(status, "application/json", Json.bytes(body));
  }
}
