package io.fairlead.server.resources.admission;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Schemas;
import io.fairlead.server.cel.CelCompileException;
import io.fairlead.server.cel.CelEnvironment;
import io.fairlead.server.cel.CelProgram;
import io.fairlead.server.cel.CelType;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resources.custom.CustomResource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Holds the expressions of a ValidatingAdmissionPolicy against the schemas of the kinds that it
/// names, and says what cannot be. That warns only: a policy does what it does.
///
/// Groups and versions with `*` are not followed, nor are subresources.
final class PolicyTypeCheck {
  private static final int MOST_KINDS = 10;
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

  private final JsonNode spec;
  private final List<Resource> served;
  private final DeclaredTypes types = new DeclaredTypes();

  private PolicyTypeCheck(JsonNode spec, List<Resource> served) {
    this.spec = spec;
    this.served = served;
  }

  /// The `typeChecking` of a policy.
  ///
  /// @param served the kinds there are now
  static ObjectNode result(JsonNode spec, List<Resource> served) {
    PolicyTypeCheck check = new PolicyTypeCheck(spec, served);
    ArrayNode warnings = check.warnings();
    ObjectNode result = Json.object();
    if (!warnings.isEmpty()) {
      result.set("expressionWarnings", warnings);
    }
    return result;
  }

  private ArrayNode warnings() {
    Map<String, CelEnvironment> kinds = new TreeMap<>();
    environments().forEach(kinds::put);
    ArrayNode warnings = Json.array();
    int index = 0;
    for (JsonNode validation : spec.path("validations")) {
      String place = "spec.validations[" + index++ + "].";
      for (String member : List.of("expression", "messageExpression")) {
        String text = Json.textOr(validation, "", member);
        String warning = text.isEmpty() ? "" : warning(text, kinds);
        if (!warning.isEmpty()) {
          warnings.addObject().put("fieldRef", place + member).put("warning", warning);
        }
      }
    }
    return warnings;
  }

  /// What is wrong with an expression, for each kind, in their order.
  private static String warning(String text, Map<String, CelEnvironment> kinds) {
    List<String> said = new ArrayList<>();
    kinds.forEach(
        (kind, environment) -> {
          try {
            CelProgram _ = environment.compile(text);
          } catch (CelCompileException e) {
            said.add(kind.replace('\t', '/') + ": " + e.getMessage() + "\n");
          }
        });
    return String.join("\n", said);
  }

  /// What expressions may use, by the kind that they are held against.
  private Map<String, CelEnvironment> environments() {
    Map<String, CelEnvironment> found = new HashMap<>();
    Optional<CelType> params = params();
    for (Resource resource : named()) {
      ResourceDescriptor kind = resource.descriptor();
      Map<String, CelType> variables = new HashMap<>(RequestTypes.VARIABLES);
      CelType object = of(resource);
      variables.put("object", object);
      variables.put("oldObject", object);
      params.ifPresent(type -> variables.put("params", type));
      addVariables(variables);
      // A tab comes before all that a name can have, so that kinds are ordered by their parts.
      found.put(
          kind.group() + "\t" + kind.version() + ", Kind=" + kind.kind(),
          new CelEnvironment(variables));
    }
    return found;
  }

  /// The policy's own variables, of which each may use those before it. One that cannot be is not
  /// there.
  private void addVariables(Map<String, CelType> variables) {
    Map<String, CelType> own = new HashMap<>();
    variables.put("variables", CelType.object("kubernetes.variables", own));
    for (JsonNode each : spec.path("variables")) {
      try {
        CelType type =
            new CelEnvironment(variables).compile(Json.textOr(each, "", "expression")).type();
        own.put(Json.textOr(each, "", "name"), type);
        variables.put("variables", CelType.object("kubernetes.variables", own));
      } catch (CelCompileException _) {
        // What uses it is told.
      }
    }
  }

  /// The type of the parameters; empty when there are none or their kind is not served.
  private Optional<CelType> params() {
    JsonNode kind = spec.path("paramKind");
    return served.stream()
        .filter(each -> each.descriptor().apiVersion().equals(Json.textOr(kind, "", "apiVersion")))
        .filter(each -> each.descriptor().kind().equals(Json.textOr(kind, "", "kind")))
        .findFirst()
        .map(this::of);
  }

  private CelType of(Resource resource) {
    if (resource instanceof CustomResource custom) {
      CelType metadata = types.of(Schemas.kubernetes().struct(META));
      CelType type = custom.ruleType();
      Map<String, CelType> fields = new HashMap<>(type.fields());
      fields.put("metadata", metadata);
      return CelType.object(type.name(), fields);
    }
    return types.of(resource.schema());
  }

  /// The kinds that the rules name, ten at most of each rule.
  private List<Resource> named() {
    List<Resource> found = new ArrayList<>();
    for (JsonNode rule : spec.path("matchConstraints").path("resourceRules")) {
      List<String> groups = texts(rule.path("apiGroups"));
      List<String> versions = texts(rule.path("apiVersions"));
      List<String> resources = texts(rule.path("resources"));
      if ((String.join("", groups) + String.join("", versions)).contains("*")) {
        continue;
      }
      List<Resource> ofRule =
          served.stream()
              .filter(each -> groups.contains(each.descriptor().group()))
              .filter(each -> versions.contains(each.descriptor().version()))
              .filter(each -> resources.contains(each.descriptor().plural()))
              .sorted(
                  Comparator.comparing((Resource each) -> each.descriptor().group())
                      .thenComparing(each -> each.descriptor().version())
                      .thenComparing(each -> each.descriptor().plural()))
              .limit(MOST_KINDS)
              .toList();
      ofRule.stream().filter(each -> !found.contains(each)).forEach(found::add);
      if (ofRule.size() == MOST_KINDS) {
        return found;
      }
    }
    return found;
  }

  private static List<String> texts(JsonNode list) {
    return list.valueStream().map(each -> each.asString("")).toList();
  }
}
