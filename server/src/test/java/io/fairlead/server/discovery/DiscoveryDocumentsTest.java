package io.fairlead.server.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.server.discovery.DiscoveryDocuments.Aggregated;
import io.fairlead.server.resources.BuiltInResources;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

class DiscoveryDocumentsTest {
  private final DiscoveryDocuments discovery =
      new DiscoveryDocuments(BuiltInResources.all(), "10.0.0.1:6443");

  /// Every discovery answer recorded from the original; what it lists we list, equal to the letter.
  @TestFactory
  Stream<DynamicTest> matchesTheOriginal() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    try (InputStream golden =
        Objects.requireNonNull(
            DiscoveryDocumentsTest.class.getResourceAsStream("discovery.json"))) {
      for (JsonNode step : Json.parse(golden.readAllBytes()).values()) {
        boolean answered = Json.at(step, "expect", "status").asInt() == 200;
        if (answered) {
          String accept = Json.textOr(step, "application/json", "headers", "Accept");
          StaticDocument document =
              Objects.requireNonNull(document(step.path("path").asString(), accept));
          tests.add(
              DynamicTest.dynamicTest(
                  step.path("name").asString(),
                  () -> {
                    assertThat(document.contentType())
                        .isEqualTo(Json.text(step, "expect", "headers", "content-type"));
                    contains(Json.at(step, "expect", "body"), Json.parse(document.bytes()), "body");
                  }));
        }
      }
    }
    assertThat(tests).hasSizeGreaterThan(10);
    return tests.stream();
  }

  @Test
  void bothAggregatedVersionsDifferOnlyInTheirName() {
    String two = text(discovery.aggregatedGroups(Aggregated.V2));
    assertThat(text(discovery.aggregatedGroups(Aggregated.V2BETA1)))
        .isEqualTo(two.replace("apidiscovery.k8s.io/v2", "apidiscovery.k8s.io/v2beta1"));
  }

  @Test
  void thePreferredVersionOfAGroupIsItsFirst() {
    JsonNode group = Json.parse(Objects.requireNonNull(discovery.group("autoscaling")).bytes());
    assertThat(Json.text(group, "preferredVersion", "version")).isEqualTo("v2");
    assertThat(group.path("versions").size()).isEqualTo(2);
  }

  @Test
  void unknownGroupsAndVersionsHaveNoDocument() {
    assertThat(discovery.group("nope")).isNull();
    assertThat(discovery.resources("apps", "v9")).isNull();
    assertThat(discovery.resources("", "v2")).isNull();
  }

  @Test
  void aDocumentKnowsItsTag() {
    StaticDocument document = discovery.apiVersions();
    assertThat(document.matches(document.etag())).isTrue();
    assertThat(document.matches("\"other\", W/" + document.etag())).isTrue();
    assertThat(document.matches("\"other\"")).isFalse();
    assertThat(document.matches(null)).isFalse();
  }

  private @Nullable StaticDocument document(String path, String accept) {
    if (accept.contains("v=v2;")) {
      return path.equals("/api")
          ? discovery.aggregatedCore(Aggregated.V2)
          : discovery.aggregatedGroups(Aggregated.V2);
    }
    String[] parts = path.substring(1).split("/", -1);
    return switch (parts.length) {
      case 1 -> path.equals("/api") ? discovery.apiVersions() : discovery.groups();
      case 2 ->
          parts[0].equals("api") ? discovery.resources("", parts[1]) : discovery.group(parts[1]);
      default -> discovery.resources(parts[1], parts[2]);
    };
  }

  /// Objects may have more members and lists more named items; everything recorded must be there.
  private static void contains(JsonNode expected, JsonNode actual, String where) {
    if (expected.isObject()) {
      for (Map.Entry<String, JsonNode> member : expected.properties()) {
        contains(member.getValue(), actual.path(member.getKey()), where + "." + member.getKey());
      }
    } else if (expected.isArray() && !expected.isEmpty() && expected.get(0).isObject()) {
      for (JsonNode item : expected.values()) {
        String name = name(item);
        JsonNode same =
            actual.values().stream()
                .filter(other -> name(other).equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(where + " lacks " + name));
        contains(item, same, where + "[" + name + "]");
      }
    } else if (!expected.asString("").equals("<any>")) {
      assertThat(actual).as(where).isEqualTo(expected);
    }
  }

  private static String name(JsonNode item) {
    for (String key : List.of("name", "resource", "subresource", "groupVersion", "version")) {
      if (item.has(key)) {
        return item.path(key).asString();
      }
    }
    return Json.textOr(item, "", "metadata", "name");
  }

  private static String text(StaticDocument document) {
    return new String(document.bytes(), java.nio.charset.StandardCharsets.UTF_8);
  }
}
