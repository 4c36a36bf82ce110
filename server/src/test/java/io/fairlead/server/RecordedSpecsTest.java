package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.store.testing.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// `/fairlead/changes`: who changed what.
class RecordedSpecsTest {
  private static final String SERVICES = "/api/v1/namespaces/default/services";
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(new MemoryStore(), List.of("10.0.0.0/16"), "30000-32767", true, 34);
    assertThat(
            server
                .post(
                    SERVICES,
                    "{\"metadata\":{\"name\":\"web\"},\"spec\":{\"selector\":{\"app\":\"a\"},"
                        + "\"ports\":[{\"port\":80}]}}")
                .code())
        .isEqualTo(201);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private List<JsonNode> changes(String query) {
    List<JsonNode> entries = new ArrayList<>();
    Json.parse(server.get("/fairlead/changes" + query).response().body())
        .path("recorders")
        .forEach(part -> part.path("entries").forEach(entries::add));
    return entries;
  }

  private void patch(String path, String body) {
    assertThat(
            server
                .send("PATCH", path)
                .header("Content-Type", "application/merge-patch+json")
                .body(body)
                .now()
                .code())
        .isEqualTo(200);
  }

  @Test
  void aServiceHasWhoMadeChangedAndDeletedIt() {
    patch(SERVICES + "/web", "{\"spec\":{\"selector\":{\"app\":\"b\"}}}");
    patch(SERVICES + "/web", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
    assertThat(server.send("DELETE", SERVICES + "/web").now().code()).isEqualTo(200);
    List<JsonNode> all = changes("?namespace=default&service=web");
    assertThat(all)
        .extracting(each -> Json.textOr(each, "", "verb"))
        .as("labels are no part of the spec")
        .containsExactly("create", "update", "delete");
    JsonNode update = all.get(1);
    assertThat(update.path("fields").toString())
        .isEqualTo(
            "[{\"field\":\"selector\",\"from\":\"{\\\"app\\\":\\\"a\\\"}\","
                + "\"to\":\"{\\\"app\\\":\\\"b\\\"}\"}]");
    assertThat(Json.textOr(update, "", "user")).isNotEmpty();
    assertThat(Json.textOr(update, "", "resourceVersion")).matches("[0-9]+");
  }

  @Test
  void whoScaledIsRecordedAndNothingElseOfWorkloads() {
    assertThat(
            server
                .post(
                    DEPLOYMENTS,
                    "{\"metadata\":{\"name\":\"web\"},\"spec\":{\"selector\":{\"matchLabels\":"
                        + "{\"app\":\"a\"}},\"template\":{\"metadata\":{\"labels\":{\"app\":\"a\"}},"
                        + "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}}}")
                .code())
        .isEqualTo(201);
    patch(DEPLOYMENTS + "/web", "{\"spec\":{\"paused\":true}}");
    patch(DEPLOYMENTS + "/web/scale", "{\"spec\":{\"replicas\":4}}");
    assertThat(changes(""))
        .filteredOn(each -> Json.textOr(each, "", "resource").equals("deployments"))
        .singleElement()
        .satisfies(
            each ->
                assertThat(each.path("fields").toString())
                    .isEqualTo("[{\"field\":\"replicas\",\"from\":\"1\",\"to\":\"4\"}]"));
  }

  @Test
  void othersAreLeftOutAndWhatIsKnownIsNotRepeated() {
    assertThat(changes("?namespace=default&service=other")).isEmpty();
    assertThat(changes("?namespace=shop")).isEmpty();
    assertThat(changes("?since=999999")).isEmpty();
    assertThat(server.get("/fairlead/changes?since=x").code()).isEqualTo(400);
  }
}
