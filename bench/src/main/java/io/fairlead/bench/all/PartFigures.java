package io.fairlead.bench.all;

import io.fairlead.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What came of one part: a line that says when and where, and a line for each figure, as the
/// benchmark printed it.
///
/// @param facts `part`, `date`, `commit`, `machine`, `originals`, `load`, `seconds`
record PartFigures(Map<String, String> facts, List<Figure> figures) {
  static final String PART = "part";

  /// One measured figure.
  record Figure(int round, String who, String what, String name, double value) {}

  PartFigures {
    facts = Map.copyOf(facts);
    figures = List.copyOf(figures);
  }

  String fact(String name) {
    return facts.getOrDefault(name, "unknown");
  }

  /// Reads a file of one or more parts, one after the other.
  static List<PartFigures> read(List<String> lines) {
    List<PartFigures> parts = new ArrayList<>();
    Map<String, String> facts = Map.of();
    List<Figure> figures = new ArrayList<>();
    for (String line : lines) {
      ObjectNode object = Json.parseObject(line.getBytes(StandardCharsets.UTF_8));
      if (object.has(PART)) {
        if (!facts.isEmpty()) {
          parts.add(new PartFigures(facts, figures));
        }
        facts = facts(object);
        figures = new ArrayList<>();
      } else {
        figures.addAll(figures(object));
      }
    }
    if (!facts.isEmpty()) {
      parts.add(new PartFigures(facts, figures));
    }
    return parts;
  }

  private static Map<String, String> facts(ObjectNode object) {
    Map<String, String> facts = new java.util.TreeMap<>();
    for (Map.Entry<String, JsonNode> each : object.properties()) {
      facts.put(each.getKey(), each.getValue().asString());
    }
    return facts;
  }

  private static List<Figure> figures(ObjectNode object) {
    List<Figure> figures = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : object.path("figures").properties()) {
      figures.add(
          new Figure(
              object.path("round").asInt(0),
              Json.textOr(object, "", "who"),
              Json.textOr(object, "", "what"),
              each.getKey(),
              each.getValue().asDouble(Double.NaN)));
    }
    return figures;
  }

  /// The figures of one series, in the order of the rounds.
  List<Double> values(Comparison.Series series) {
    return figures.stream()
        .filter(
            figure ->
                figure.who().equals(series.who())
                    && figure.what().equals(series.what())
                    && figure.name().equals(series.figure()))
        .map(Figure::value)
        .toList();
  }
}
