package io.fairlead.controller.golden;

import io.fairlead.api.json.Json;
import io.fairlead.controller.testing.Scenario;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Where Fairlead writes other objects than the recorded controllers on purpose. Each row of
/// `decided/slices.json` and `decided/endpoints.json` has a step (`ES-12/2`: the history and the
/// number of the step, from 0), the reason, and the decided objects in the form of a recording,
/// which the objects after that step are compared with.
public final class DecidedAnswers {
  private final Map<String, List<ObjectNode>> rows = new LinkedHashMap<>();

  private DecidedAnswers() {}

  /// @param kind `slices` or `endpoints`
  public static DecidedAnswers of(String kind) {
    DecidedAnswers answers = new DecidedAnswers();
    String path = "/decided/" + kind + ".json";
    try (InputStream in = DecidedAnswers.class.getResourceAsStream(path)) {
      for (JsonNode row : Json.parse(Objects.requireNonNull(in, path).readAllBytes())) {
        answers.add(row);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return answers;
  }

  private void add(JsonNode row) {
    String step = Json.textOr(row, "", "step");
    if (Json.textOr(row, "", "reason").isEmpty() || !row.path("expect").isArray()) {
      throw new IllegalStateException("a row needs a reason and a decided answer: " + step);
    }
    List<ObjectNode> objects = new ArrayList<>();
    row.path("expect").forEach(object -> objects.add((ObjectNode) object));
    if (rows.put(step, List.copyOf(objects)) != null) {
      throw new IllegalStateException("two rows for one step: " + step);
    }
  }

  /// The decided objects after this step; empty where the recorded ones hold.
  public Optional<List<ObjectNode>> after(String step) {
    return Optional.ofNullable(rows.get(step));
  }

  /// The steps with a decided answer that none of these histories has.
  public Set<String> withoutRecording(List<Scenario> histories) {
    Set<String> left = new TreeSet<>(rows.keySet());
    for (Scenario history : histories) {
      for (int i = 0; i < history.steps().size(); i++) {
        left.remove(history.id() + "/" + i);
      }
    }
    return left;
  }
}
