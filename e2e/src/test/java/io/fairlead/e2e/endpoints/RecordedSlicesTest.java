package io.fairlead.e2e.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.controller.testing.Scenario;
import io.fairlead.controller.testing.ScenarioPlayer;
import io.fairlead.controller.testing.SliceComparison;
import io.fairlead.e2e.Repository;
import io.fairlead.e2e.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// Histories recorded from Kubernetes, played against a whole instance: the real server, with its
/// defaults and its permissions, and all controllers. Here only what does not depend on which
/// changes came together is compared; the module of the controllers compares the rest.
@Tag("system")
class RecordedSlicesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir static Path directory;
  private static TestServer server;
  private static Client client;

  @BeforeAll
  static void start() {
    server = TestServer.start(directory, 36);
    client =
        new Client(
            new HttpTransport(
                ClientConfig.of(
                    server.url(), new Trust.Anyone(), new ClientIdentity.Token(server.token())),
                "e2e/1"));
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ES-1", "ES-6", "ES-18", "ES-22", "ES-23", "ES-24", "ES-28", "ES-30", "ES-34", "ES-37",
        "ES-40-3", "ES-42", "ES-44", "ES-47", "ES-48", "PK-20", "PK-27", "PK-33", "GC-1", "EP-7",
        "EP-19", "MI-3", "MI-4", "MI-5", "MI-9", "MI-12", "MI-14"
      })
  void replays(String id) throws IOException {
    Scenario scenario =
        Scenario.parse(
            Files.readAllBytes(
                Repository.root()
                    .resolve("controller/src/test/resources/io/fairlead/controller/golden")
                    .resolve(id + ".json")));
    String namespace = "recorded-" + id.toLowerCase(Locale.ROOT);
    ObjectNode home = Json.object();
    home.putObject("metadata").put("name", namespace);
    client.create(ResourceType.NAMESPACES, "", home);
    ObjectKey account = new ObjectKey(namespace, "default");
    await()
        .atMost(PATIENCE)
        .until(() -> client.find(ResourceType.SERVICE_ACCOUNTS, account).isPresent());
    ScenarioPlayer player =
        new ScenarioPlayer(client, namespace, UnaryOperator.identity(), () -> {});
    player.nodes(scenario.nodes());
    SliceComparison comparison =
        new SliceComparison(player.placeholders(), id.matches("ES-4[0-3].*"));
    comparison.triggerByChance(true);
    for (Scenario.Step step : scenario.steps()) {
      for (ObjectNode operation : step.operations()) {
        assertThat(player.play(operation)).as("know how to %s", operation).isTrue();
      }
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(50))
          .untilAsserted(
              () ->
                  assertThat(comparison.differences(step.slices(), slices(namespace)))
                      .as("slices after: %s", step.title())
                      .isEmpty());
    }
    client.delete(ResourceType.NAMESPACES, new ObjectKey("", namespace), DeleteOptions.DEFAULT);
  }

  private static List<ObjectNode> slices(String namespace) {
    List<ObjectNode> slices = new ArrayList<>();
    client.listAll(ResourceType.ENDPOINT_SLICES, namespace, ListOptions.ALL, slices::add);
    return slices;
  }
}
