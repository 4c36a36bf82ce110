package io.fairlead.server.resources.pod;

import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.NameValidation;
import io.fairlead.server.resources.kind.NodeSelectorValidation;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Checks what a pod says about where it shall run: affinity, spreading and gates.
final class PodSchedulingValidation {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final int MOST_WEIGHT = 100;

  private final Problems problems;
  private final NodeSelectorValidation nodes;

  PodSchedulingValidation(Problems problems) {
    this.problems = problems;
    this.nodes = new NodeSelectorValidation(problems);
  }

  void affinity(JsonNode affinity, String path) {
    JsonNode node = affinity.path("nodeAffinity");
    if (node.path(REQUIRED).isObject()) {
      nodes.check(node.path(REQUIRED), path + ".nodeAffinity." + REQUIRED);
    }
    int index = 0;
    for (JsonNode term : node.path(PREFERRED)) {
      String at = path + ".nodeAffinity." + PREFERRED + "[" + index + "]";
      weight(term, at);
      nodes.term(term.path("preference"), at + ".preference");
      index++;
    }
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      index = 0;
      for (JsonNode term : affinity.path(kind).path(REQUIRED)) {
        podTerm(term, path + "." + kind + "." + REQUIRED + "[" + index + "]");
        index++;
      }
      index = 0;
      for (JsonNode term : affinity.path(kind).path(PREFERRED)) {
        String at = path + "." + kind + "." + PREFERRED + "[" + index + "]";
        weight(term, at);
        podTerm(term.path("podAffinityTerm"), at + ".podAffinityTerm");
        index++;
      }
    }
  }

  private void weight(JsonNode term, String path) {
    long weight = term.path("weight").asLong(0);
    if (weight <= 0 || weight > MOST_WEIGHT) {
      problems.invalid(path + ".weight", weight, "must be in the range 1-100");
    }
  }

  private void podTerm(JsonNode term, String path) {
    problems.addAll(
        MetadataRules.labelSelector(term.path("labelSelector"), path + ".labelSelector"));
    problems.addAll(
        MetadataRules.labelSelector(term.path("namespaceSelector"), path + ".namespaceSelector"));
    for (JsonNode namespace : term.path("namespaces")) {
      problems.each(
          path + ".namespace",
          namespace.asString(""),
          NameValidation.dns1123Label(namespace.asString("")));
    }
    String key = term.path("topologyKey").asString("");
    if (key.isEmpty()) {
      problems.required(path + ".topologyKey", "can not be empty");
    }
    problems.each(path + ".topologyKey", key, NameValidation.qualifiedName(key));
  }

  void spreading(JsonNode constraints, String path) {
    for (int i = 0; i < constraints.size(); i++) {
      JsonNode one = constraints.path(i);
      String at = path + "[" + i + "]";
      if (one.path("maxSkew").asLong(0) <= 0) {
        problems.invalid(
            at + ".maxSkew", one.path("maxSkew").asLong(0), "must be greater than zero");
      }
      if (one.path("topologyKey").asString("").isEmpty()) {
        problems.required(at + ".topologyKey", "can not be empty");
      }
      problems.oneOf(
          at + ".whenUnsatisfiable",
          one.path("whenUnsatisfiable"),
          List.of("DoNotSchedule", "ScheduleAnyway"));
      for (int other = i + 1; other < constraints.size(); other++) {
        if (place(one).equals(place(constraints.path(other)))) {
          problems.duplicate(at + ".{topologyKey, whenUnsatisfiable}", place(one));
        }
      }
      spreadingOptions(one, at);
      problems.addAll(
          MetadataRules.labelSelector(one.path("labelSelector"), at + ".labelSelector"));
    }
  }

  private void spreadingOptions(JsonNode one, String path) {
    JsonNode domains = one.path("minDomains");
    if (domains.isNumber()) {
      if (domains.asLong(0) <= 0) {
        problems.invalid(path + ".minDomains", domains, "must be greater than zero");
      }
      String unsatisfiable = one.path("whenUnsatisfiable").asString("");
      if (!unsatisfiable.equals("DoNotSchedule")) {
        problems.invalid(
            path + ".minDomains",
            domains,
            "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + unsatisfiable);
      }
    }
    labelKeys(one.path("matchLabelKeys"), path + ".matchLabelKeys");
    for (String policy : List.of("nodeAffinityPolicy", "nodeTaintsPolicy")) {
      if (one.path(policy).isString()) {
        problems.oneOf(path + "." + policy, one.path(policy), List.of("Honor", "Ignore"));
      }
    }
  }

  private void labelKeys(JsonNode keys, String path) {
    int index = 0;
    for (JsonNode key : keys) {
      String text = key.asString("");
      problems.each(path + "[" + index++ + "]", text, NameValidation.qualifiedName(text));
    }
  }

  private static String place(JsonNode constraint) {
    return "{"
        + constraint.path("topologyKey").asString("")
        + ", "
        + constraint.path("whenUnsatisfiable").asString("")
        + "}";
  }

  void gates(JsonNode spec, String path) {
    int index = 0;
    for (JsonNode gate : spec.path("readinessGates")) {
      String type = gate.path("conditionType").asString("");
      problems.each(
          path + ".readinessGates[" + index + "].conditionType",
          type,
          NameValidation.qualifiedName(type));
      index++;
    }
    var seen = Problems.seen();
    index = 0;
    for (JsonNode gate : spec.path("schedulingGates")) {
      String name = gate.path("name").asString("");
      String at = path + ".schedulingGates[" + index + "]";
      problems.each(at, name, NameValidation.qualifiedName(name));
      problems.unique(at, name, seen);
      index++;
    }
  }
}
