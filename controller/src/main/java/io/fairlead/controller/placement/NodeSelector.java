package io.fairlead.controller.placement;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Which nodes a pod asks for: `spec.nodeSelector` and the required part of its node affinity, both
/// of which must hold.
///
/// @param labels all of them must be there
/// @param terms one of them must hold; empty when there is no required affinity
/// @param restricted whether there is a required affinity, be it one without terms, which no node
///   fulfils
public record NodeSelector(Map<String, String> labels, List<Term> terms, boolean restricted) {
  /// All expressions and all fields must hold; one with neither holds for no node.
  public record Term(List<Requirement> expressions, List<Requirement> fields) {
    public boolean matches(Node node) {
      if (expressions.isEmpty() && fields.isEmpty()) {
        return false;
      }
      Map<String, String> labels = node.metadata().labels();
      return expressions.stream().allMatch(one -> one.matches(labels))
          && fields.stream().allMatch(one -> one.matches(Map.of("metadata.name", node.name())));
    }

    static Term of(JsonNode term) {
      return new Term(
          Requirement.of(term.path("matchExpressions")), Requirement.of(term.path("matchFields")));
    }
  }

  /// One comparison of a label.
  public record Requirement(String key, String operator, List<String> values) {
    static List<Requirement> of(JsonNode list) {
      List<Requirement> read = new ArrayList<>();
      for (JsonNode one : list) {
        List<String> values = new ArrayList<>();
        one.path("values").forEach(value -> values.add(value.asString("")));
        read.add(
            new Requirement(Json.textOr(one, "", "key"), Json.textOr(one, "", "operator"), values));
      }
      return read;
    }

    boolean matches(Map<String, String> labels) {
      String value = labels.get(key);
      return switch (operator) {
        case "In" -> value != null && values.contains(value);
        case "NotIn" -> value == null || !values.contains(value);
        case "Exists" -> value != null;
        case "DoesNotExist" -> value == null;
        case "Gt" -> value != null && compare(value) > 0;
        case "Lt" -> value != null && compare(value) < 0;
        default -> false;
      };
    }

    /// Zero also for what is no number: neither greater nor less.
    private int compare(String value) {
      try {
        return values.size() == 1
            ? Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst()))
            : 0;
      } catch (NumberFormatException _) {
        return 0;
      }
    }
  }

  public NodeSelector {
    labels = Map.copyOf(labels);
    terms = List.copyOf(terms);
  }

  /// What a pod's spec asks for.
  public static NodeSelector of(JsonNode spec) {
    Map<String, String> labels = new java.util.LinkedHashMap<>();
    spec.path("nodeSelector")
        .properties()
        .forEach(label -> labels.put(label.getKey(), label.getValue().asString("")));
    return of(labels, spec.path("affinity"));
  }

  /// @param labels of `nodeSelector`
  /// @param affinity a missing node when there is none
  public static NodeSelector of(Map<String, String> labels, JsonNode affinity) {
    JsonNode required =
        Json.at(affinity, "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
    return new NodeSelector(labels, terms(required.path("nodeSelectorTerms")), required.isObject());
  }

  public static List<Term> terms(JsonNode list) {
    List<Term> terms = new ArrayList<>();
    list.forEach(term -> terms.add(Term.of(term)));
    return terms;
  }

  /// One term, as preferences have it.
  public static Term term(JsonNode term) {
    return Term.of(term);
  }

  public boolean matches(Node node) {
    if (!node.metadata().labels().entrySet().containsAll(labels.entrySet())) {
      return false;
    }
    return !restricted || terms.stream().anyMatch(term -> term.matches(node));
  }
}
