package io.fairlead.server.resources.admission;

import io.fairlead.server.cel.CelCompileException;
import io.fairlead.server.cel.CelEnvironment;
import io.fairlead.server.cel.CelProgram;
import io.fairlead.server.cel.CelType;
import java.util.HashMap;
import java.util.Map;

/// The expressions in CEL of webhooks and admission policies, and what they may speak of.
public final class AdmissionExpressions {
  /// What the conditions of a webhook may use.
  public static final AdmissionExpressions OF_WEBHOOK = of("object", "oldObject", "request");

  /// What the conditions and variables of a policy may use.
  public static final AdmissionExpressions OF_POLICY =
      of("object", "oldObject", "request", "params", "namespaceObject", "variables");

  private final CelEnvironment environment;

  private AdmissionExpressions(CelEnvironment environment) {
    this.environment = environment;
  }

  private static AdmissionExpressions of(String... names) {
    Map<String, CelType> variables = new HashMap<>();
    for (String name : names) {
      variables.put(name, CelType.DYN);
    }
    return new AdmissionExpressions(new CelEnvironment(variables));
  }

  /// @throws CelCompileException saying where it is wrong
  public CelProgram compile(String text) {
    return environment.compile(text);
  }
}
