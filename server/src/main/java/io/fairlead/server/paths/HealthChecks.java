package io.fairlead.server.paths;

import io.fairlead.http.status.LoopHealth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The checks behind `/livez`, `/readyz` and `/healthz` (spec 1.5). Checks may be added while the
/// server runs; asking is cheap, a check must not block. The line `loops` informs only: see
/// [LoopHealth].
public final class HealthChecks {
  /// One thing that must be well.
  public interface Check {
    boolean isWell();
  }

  /// What a client gets as the answer.
  public record Report(int code, String text) {}

  private final Map<String, Check> ready =
      java.util.Collections.synchronizedMap(new LinkedHashMap<>());
  private final Set<String> live = ConcurrentHashMap.newKeySet();

  public HealthChecks() {
    addLive("ping", () -> true);
  }

  /// Adds a check that must pass before clients are welcome.
  public void addReady(String name, Check check) {
    ready.put(name, check);
  }

  /// Adds a check whose failure means that only a restart helps.
  public void addLive(String name, Check check) {
    live.add(name);
    ready.put(name, check);
  }

  /// Whether all checks pass.
  public boolean isReady() {
    return selected("readyz").values().stream().allMatch(Check::isWell);
  }

  /// The names of the checks that fail.
  public List<String> failing() {
    return selected("readyz").entrySet().stream()
        .filter(each -> !each.getValue().isWell())
        .map(Map.Entry::getKey)
        .toList();
  }

  /// All checks of an end point.
  ///
  /// @param endpoint `healthz`, `livez` or `readyz`
  public Report report(String endpoint, boolean verbose, List<String> excluded) {
    StringBuilder text = new StringBuilder();
    boolean failed = false;
    Map<String, Check> checks = selected(endpoint);
    for (Map.Entry<String, Check> check : checks.entrySet()) {
      if (excluded.contains(check.getKey())) {
        text.append("[+]").append(check.getKey()).append(" excluded: ok\n");
      } else if (check.getValue().isWell()) {
        text.append("[+]").append(check.getKey()).append(" ok\n");
      } else {
        failed = true;
        text.append("[-]").append(check.getKey()).append(" failed: reason withheld\n");
      }
    }
    text.append(LoopHealth.line()).append('\n');
    for (String name : excluded) {
      if (!checks.containsKey(name)) {
        text.append("warn: some health checks cannot be excluded: no matches for \"")
            .append(name)
            .append("\"\n");
      }
    }
    if (failed) {
      return new Report(500, text + endpoint + " check failed\n");
    }
    return new Report(200, verbose ? text + endpoint + " check passed\n" : "ok");
  }

  /// One check; 404 when there is none of that name.
  public Report single(String endpoint, String name) {
    if (name.equals(LoopHealth.NAME)) {
      return new Report(200, LoopHealth.problem().orElse("ok"));
    }
    Check check = selected(endpoint).get(name);
    if (check == null) {
      return new Report(404, "404 page not found\n");
    }
    return check.isWell()
        ? new Report(200, "ok")
        : new Report(500, "internal server error: " + name + " failed: reason withheld\n");
  }

  private Map<String, Check> selected(String endpoint) {
    Map<String, Check> checks = new LinkedHashMap<>();
    synchronized (ready) {
      ready.forEach(
          (name, check) -> {
            if (endpoint.equals("readyz") || live.contains(name)) {
              checks.put(name, check);
            }
          });
    }
    return checks;
  }
}
