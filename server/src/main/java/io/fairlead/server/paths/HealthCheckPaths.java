package io.fairlead.server.paths;

import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.render.ResponseWriter;
import java.io.IOException;
import java.util.Set;

/// Serves `/healthz`, `/livez`, `/readyz` and single checks below them.
public final class HealthCheckPaths implements PathHandler {
  private static final Set<String> ENDPOINTS = Set.of("healthz", "livez", "readyz");

  private final HealthChecks checks;

  public HealthCheckPaths(HealthChecks checks) {
    this.checks = checks;
  }

  @Override
  public boolean handle(HttpServerExchange exchange) throws IOException {
    String[] parts = exchange.path().substring(1).split("/", 2);
    if (!ENDPOINTS.contains(parts[0])) {
      return false;
    }
    HealthChecks.Report report =
        parts.length == 1 || parts[1].isEmpty()
            ? checks.report(
                parts[0], exchange.query().has("verbose"), exchange.query().all("exclude"))
            : checks.single(parts[0], parts[1]);
    ResponseWriter.text(exchange, report.code(), report.text());
    return true;
  }
}
