package io.fairlead.server.resources.kind;

import io.fairlead.api.names.NameValidation;
import tools.jackson.databind.JsonNode;

/// Checks selectors of nodes, which pods and volumes have.
public final class NodeSelectorValidation {
  private final Problems problems;

  public NodeSelectorValidation(Problems problems) {
    this.problems = problems;
  }

  /// Terms of which one must hold, as volumes have them too.
  public void check(JsonNode selector, String path) {
    JsonNode terms = selector.path("nodeSelectorTerms");
    if (terms.isEmpty()) {
      problems.required(path + ".nodeSelectorTerms", "must have at least one node selector term");
    }
    int index = 0;
    for (JsonNode term : terms) {
      term(term, path + ".nodeSelectorTerms[" + index + "]");
      index++;
    }
  }

  /// One term.
  public void term(JsonNode term, String path) {
    int index = 0;
    for (JsonNode expression : term.path("matchExpressions")) {
      nodeExpression(expression, path + ".matchExpressions[" + index + "]");
      index++;
    }
    index = 0;
    for (JsonNode field : term.path("matchFields")) {
      nodeField(field, path + ".matchFields[" + index + "]");
      index++;
    }
  }

  private void nodeExpression(JsonNode expression, String path) {
    JsonNode values = expression.path("values");
    String operator = expression.path("operator").asString("");
    switch (operator) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          problems.required(
              path + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          problems.forbidden(
              path + ".values",
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
      }
      case "Gt", "Lt" -> {
        if (values.size() != 1) {
          problems.required(
              path + ".values", "must be specified single value when `operator` is 'Lt' or 'Gt'");
        }
      }
      default -> problems.invalid(path + ".operator", operator, "not a valid selector operator");
    }
    String key = expression.path("key").asString("");
    problems.each(path + ".key", key, NameValidation.qualifiedName(key));
    int index = 0;
    for (JsonNode value : values) {
      problems.each(
          path + ".values[" + index + "]",
          value.asString(""),
          NameValidation.labelValue(value.asString("")));
      index++;
    }
  }

  private void nodeField(JsonNode field, String path) {
    String operator = field.path("operator").asString("");
    if (!operator.equals("In") && !operator.equals("NotIn")) {
      problems.invalid(path + ".operator", operator, "not a valid selector operator");
    } else if (field.path("values").size() != 1) {
      problems.required(
          path + ".values",
          "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
    }
    String key = field.path("key").asString("");
    if (!key.equals("metadata.name")) {
      problems.invalid(path + ".key", key, "not a valid field selector key");
      return;
    }
    int index = 0;
    for (JsonNode value : field.path("values")) {
      problems.each(
          path + ".values[" + index + "]",
          value.asString(""),
          NameValidation.dns1123Subdomain(value.asString("")));
      index++;
    }
  }
}
