package io.fairlead.server.resources.admission;

import io.fairlead.server.cel.CelCompileException;
import io.fairlead.server.cel.CelEnvironment;
import io.fairlead.server.cel.CelJson;
import io.fairlead.server.cel.CelProgram;
import io.fairlead.server.cel.CelType;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The expressions in CEL of webhooks and admission policies, and what they may speak of.
public final class AdmissionExpressions {
  /// What a whole object is called in a mutation.
  static final String OBJECT = "Object";

  /// One operation of a JSON patch.
  static final CelType JSON_PATCH =
      CelType.object(
          CelJson.JSON_PATCH,
          Map.of(
              "op",
              CelType.STRING,
              "path",
              CelType.STRING,
              "from",
              CelType.STRING,
              "value",
              CelType.DYN));

  /// What the conditions of a webhook may use.
  public static final AdmissionExpressions OF_WEBHOOK = of("object", "oldObject", "request");

  /// What the conditions and variables of a policy may use.
  public static final AdmissionExpressions OF_POLICY =
      of("object", "oldObject", "request", "params", "namespaceObject", "variables");

  /// What the mutations of a policy may use, and the objects that they may make.
  public static final AdmissionExpressions OF_MUTATION =
      new AdmissionExpressions(
          new CelEnvironment(
              OF_POLICY.environment.variables(), AdmissionExpressions::madeByMutations));

  private final CelEnvironment environment;

  private AdmissionExpressions(CelEnvironment environment) {
    this.environment = environment;
  }

  private static AdmissionExpressions of(String... names) {
    Map<String, CelType> variables = new HashMap<>();
    for (String name : names) {
      variables.put(name, CelType.DYN);
    }
    variables.put("authorizer", CelType.AUTHORIZER);
    variables.put("authorizer.requestResource", CelType.RESOURCE_CHECK);
    return new AdmissionExpressions(new CelEnvironment(variables));
  }

  /// The object as a mutation wants it, and parts of it, are named by their place; what is in them
  /// is held against the schema when they are merged.
  private static @Nullable CelType madeByMutations(String name) {
    if (name.equals(JSON_PATCH.name())) {
      return JSON_PATCH;
    }
    return name.equals(OBJECT) || name.startsWith(OBJECT + ".") ? CelType.openObject(name) : null;
  }

  /// @throws CelCompileException saying where it is wrong
  public CelProgram compile(String text) {
    return environment.compile(text);
  }
}
