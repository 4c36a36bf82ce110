package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.BuiltInResources;
import io.fairlead.server.rest.UnservedResources;
import io.fairlead.server.rest.UnservedResources.Row;
import io.fairlead.store.testing.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What nothing acts on is answered with a warning, and the page lists the same.
class UnservedResourcesTest {
  private static final String AUTOSCALER =
      "{'metadata':{'name':'c'},'spec':{'maxReplicas':2,'scaleTargetRef':{'kind':'Deployment',"
          + "'name':'d','apiVersion':'apps/v1'}}}";
  private static final String AUTOSCALERS =
      "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";

  @Test
  void everyWriteIsAnsweredWithAWarningAndNoReadIs() throws Exception {
    try (TestServer server = TestServer.startWarning(new MemoryStore())) {
      String warning =
          "299 - \"nothing acts on HorizontalPodAutoscaler here: it scales nothing, unless another"
              + " program sees to it (docs/unserved.md)\"";
      TestServer.Answer created = server.post(AUTOSCALERS, AUTOSCALER);
      assertThat(created.code()).isEqualTo(201);
      assertThat(created.header("Warning")).isEqualTo(warning);
      assertThat(
              server
                  .send("PATCH", AUTOSCALERS + "/c")
                  .header("Content-Type", "application/merge-patch+json")
                  .body("{'spec':{'maxReplicas':3}}")
                  .now()
                  .header("Warning"))
          .isEqualTo(warning);
      assertThat(server.get(AUTOSCALERS).header("Warning")).isEmpty();
      assertThat(server.send("DELETE", AUTOSCALERS + "/c").now().header("Warning")).isEmpty();
      assertThat(
              server
                  .post("/api/v1/namespaces/default/configmaps", "{'metadata':{'name':'m'}}")
                  .header("Warning"))
          .isEmpty();
    }
  }

  @Test
  void anApiServerAloneDoesNotKnowWhatOthersRun() throws Exception {
    try (TestServer server = TestServer.start()) {
      assertThat(server.post(AUTOSCALERS, AUTOSCALER).header("Warning")).isEmpty();
    }
  }

  @Test
  void everyRowNamesAResourceThatIsServed() {
    List<String> served =
        BuiltInResources.all().stream().flatMap(UnservedResourcesTest::names).toList();
    assertThat(UnservedResources.ALL)
        .allSatisfy(row -> assertThat(served).contains(row.group() + "/" + row.resource()));
  }

  private static Stream<String> names(Resource resource) {
    String name = resource.descriptor().group() + "/" + resource.descriptor().plural();
    return Stream.concat(
        Stream.of(name),
        resource.subresources().stream().map(Subresource::name).map(sub -> name + "/" + sub));
  }

  @Test
  void thePageListsTheSame() throws IOException {
    List<String> rows =
        Files.readAllLines(Path.of("..", "docs", "unserved.md")).stream()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| kind"))
            .toList();
    assertThat(rows)
        .containsExactlyElementsOf(
            UnservedResources.ALL.stream().map(UnservedResourcesTest::shown).toList());
  }

  private static String shown(Row row) {
    String resource = row.resource() + (row.group().isEmpty() ? "" : "." + row.group());
    return "| " + row.kind() + " | `" + resource + "` | " + row.effect() + " |";
  }

  @Test
  void kubectlIsToldThatThereAreNoCustomResources() throws Exception {
    try (TestServer server = TestServer.start()) {
      TestServer.Answer list =
          server.get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions");
      assertThat(list.code()).isEqualTo(200);
      assertThat(list.at("kind")).isEqualTo("CustomResourceDefinitionList");
      assertThat(list.json().path("items").isEmpty()).isTrue();
      assertThat(
              server
                  .send("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions")
                  .header("Authorization", "Bearer nobody")
                  .now()
                  .code())
          .isEqualTo(403);
      assertThat(server.get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/a").code())
          .isEqualTo(404);
    }
  }
}
