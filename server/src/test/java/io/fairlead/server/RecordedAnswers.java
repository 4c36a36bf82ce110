package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Requests that a kube-apiserver 1.36 was sent, with what it answered. The rows build on each
/// other; a server is sent all of them, in their order.
final class RecordedAnswers {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";

  /// What differs in every run.
  private static final Set<String> VOLATILE =
      Set.of(
          "uid",
          "resourceVersion",
          "creationTimestamp",
          "time",
          "lastTransitionTime",
          "deletionTimestamp",
          "storageVersionHash");

  private final Map<String, String> decided;

  /// @param decided rows of which only the code is compared, and why
  RecordedAnswers(Map<String, String> decided) {
    this.decided = decided;
  }

  /// A test for each row of that file.
  Stream<DynamicTest> rows(String file) throws Exception {
    List<DynamicTest> rows = new ArrayList<>();
    try (TestServer server = TestServer.start()) {
      for (JsonNode step : steps(file)) {
        String name = Json.textOr(step, "", "name");
        Compared compared = compare(server, step);
        rows.add(
            DynamicTest.dynamicTest(
                name, () -> assertThat(compared.answered()).isEqualTo(compared.recorded())));
      }
    }
    return rows.stream();
  }

  /// What is compared of an answer, as text.
  private record Compared(String answered, String recorded) {}

  private static JsonNode steps(String file) {
    try (InputStream in = RecordedAnswers.class.getResourceAsStream(file)) {
      return Json.parse(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Compared compare(TestServer server, JsonNode step) {
    byte[] body =
        step.has("raw")
            ? step.path("raw").asString("").getBytes(java.nio.charset.StandardCharsets.UTF_8)
            : step.has("body") ? Json.bytes(step.path("body")) : new byte[0];
    TestServer.Answer answer =
        server
            .send(Json.textOr(step, "", "method"), Json.textOr(step, "", "path"))
            .header("Content-Type", Json.textOr(step, "application/json", "type"))
            .header("Accept", Json.textOr(step, "application/json", "accept"))
            .body(body)
            .now();
    for (String wait : List.of("wait", "settle")) {
      if (step.has(wait)) {
        String condition = wait.equals("wait") ? "\"Established\"" : "\"NamesAccepted\"";
        String path = DEFINITIONS + Json.textOr(step, "", wait);
        await().until(() -> server.get(path).text().contains(condition));
      }
    }
    JsonNode recorded = step.path("answer");
    boolean codeOnly = decided.containsKey(Json.textOr(step, "", "name"));
    boolean failed = recorded.path("code").asInt(0) >= 300;
    boolean plain = failed && recorded.path("message").asString("").isEmpty();
    if (codeOnly || plain) {
      return new Compared(
          Integer.toString(answer.code()), Integer.toString(recorded.path("code").asInt(0)));
    }
    ObjectNode mine = Json.object();
    ObjectNode theirs = Json.object();
    mine.put("code", answer.code());
    theirs.set("code", recorded.path("code"));
    if (failed) {
      JsonNode status = answer.text().startsWith("{") ? answer.json() : Json.object();
      fault(mine, status, status.path("details").path("causes"));
      fault(theirs, recorded, recorded.path("causes"));
    } else if (recorded.has("body")) {
      mine.set("body", stable(shown(step, answer.json())));
      theirs.set("body", stable(recorded.path("body")));
    }
    return new Compared(text(mine), text(theirs));
  }

  private static void fault(ObjectNode into, JsonNode status, JsonNode causes) {
    if (!status.path("reason").asString("").isEmpty()) {
      into.set("reason", status.path("reason"));
    }
    Set<String> sorted = new TreeSet<>();
    causes.forEach(each -> sorted.add(stable(each).toString()));
    if (sorted.isEmpty()) {
      into.put("message", status.path("message").asString(""));
    }
    sorted.forEach(into.putArray("causes")::add);
  }

  private static JsonNode shown(JsonNode step, JsonNode answer) {
    return switch (Json.textOr(step, "", "show")) {
      case "status" -> answer.path("status");
      case "columns" -> {
        var names = Json.array();
        answer.path("columnDefinitions").forEach(each -> names.add(each.path("name")));
        yield names;
      }
      case "cells" -> {
        var cells = Json.array();
        answer.path("rows").forEach(each -> cells.add(each.path("cells")));
        yield cells;
      }
      default -> answer;
    };
  }

  /// The value with sorted members and without what differs in every run.
  private static JsonNode stable(JsonNode value) {
    if (value.isObject()) {
      ObjectNode sorted = Json.object();
      new TreeMap<>(Map.copyOf(asMap(value))).forEach(sorted::set);
      return sorted;
    }
    if (value.isArray()) {
      var list = Json.array();
      value.forEach(each -> list.add(stable(each)));
      return list;
    }
    return value;
  }

  private static Map<String, JsonNode> asMap(JsonNode value) {
    Map<String, JsonNode> members = new TreeMap<>();
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      // Lists of custom resources say that they do not go on.
      boolean last = member.getKey().equals("continue") && member.getValue().asString("").isEmpty();
      if (!VOLATILE.contains(member.getKey()) && !last) {
        JsonNode kept = stable(member.getValue());
        boolean owners = member.getKey().equals("managedFields");
        members.put(member.getKey(), owners ? sorted(kept) : kept);
      }
    }
    return members;
  }

  /// Entries of the same second stand in any order.
  private static JsonNode sorted(JsonNode list) {
    var sorted = Json.array();
    list.valueStream()
        .sorted(java.util.Comparator.comparing(JsonNode::toString))
        .forEach(sorted::add);
    return sorted;
  }

  private static String text(JsonNode value) {
    return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(value);
  }
}
