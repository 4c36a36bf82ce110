package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.network.HostNamespace;
import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.kernel.process.Tool;
import io.fairlead.kernel.route.Network;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What volumes show changes while a container runs.
@Tag("system")
class VolumeChangesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;
  private final Client client =
      new Client(
          new FakeApi(
              List.of(
                  ResourceType.PODS,
                  ResourceType.SERVICES,
                  ResourceType.NODES,
                  ResourceType.LEASES,
                  ResourceType.EVENTS,
                  ResourceType.CONFIG_MAPS)));
  private NetworkNamespace node;
  private Agent agent;

  @BeforeEach
  void start() throws InterruptedException {
    node = NetworkNamespace.create("volumes-" + UUID.randomUUID().toString().substring(0, 8));
    node.run(
        () -> {
          try (Network inside = Network.open()) {
            inside.setUp(inside.link("lo").orElseThrow().index(), true);
          }
        });
    create(ResourceType.NAMESPACES, "", "metadata: {name: kube-node-lease}");
    agent =
        Agent.start(
            client,
            new AgentOptions(
                "node-a",
                List.of("192.0.2.1"),
                List.of(Cidr.parse("10.244.9.0/24")),
                List.of(Cidr.parse("10.244.0.0/16")),
                List.of("10.96.0.10"),
                "cluster.local",
                Map.of(),
                110,
                Path.of("/etc/resolv.conf"),
                directory.resolve("agent"),
                HostNamespace.of(node),
                "v1.34.0"));
  }

  @AfterEach
  void stop() {
    try {
      if (agent != null) {
        agent.close();
        assertThat(Agent.removeAll(directory.resolve("agent"), HostNamespace.of(node))).isTrue();
      }
    } finally {
      node.delete();
      client.close();
    }
  }

  private void create(ResourceType type, String namespace, String yaml) {
    client.create(type, namespace, (ObjectNode) Yaml.parse(yaml));
  }

  private void pod(String name, String spec) {
    create(
        ResourceType.PODS,
        "default",
        "metadata: {name: " + name + "}\nspec: {nodeName: node-a, " + spec + "}");
  }

  private ObjectNode pod(String name) {
    return client.get(ResourceType.PODS, new ObjectKey("default", name));
  }

  private JsonNode container(String name) {
    return Json.at(pod(name), "status", "containerStatuses").path(0);
  }

  private String said(String name) {
    return Json.textOr(container(name), "", "state", "terminated", "message");
  }

  /// Within less than the time after which every pod is looked at anyway.
  @Test
  void n56AChangeReachesTheFilesOfARunningContainer() {
    create(ResourceType.CONFIG_MAPS, "default", "metadata: {name: live}\ndata: {colour: blue}");
    pod(
        "watches",
        "restartPolicy: Never, volumes: [{name: v, configMap: {name: live}}, {name: d, downwardAPI:"
            + " {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}]}}], containers:"
            + " [{name: c, image: fairlead.dev/shell, command: [sh, -c, 'echo begun; until grep -q red"
            + " /settings/colour && grep -q moved /told/labels; do sleep 0.1; done; cat"
            + " /settings/colour /once > /dev/termination-log'], volumeMounts: [{name: v,"
            + " mountPath: /settings}, {name: d, mountPath: /told}, {name: v, mountPath: /once,"
            + " subPath: colour}]}]");
    Path log =
        directory.resolve(
            "agent/logs/default_watches_"
                + Json.textOr(pod("watches"), "", "metadata", "uid")
                + "/c/0.log");
    await()
        .atMost(PATIENCE)
        .until(() -> Files.exists(log) && Files.readString(log).contains("begun"));
    client.patch(
        ResourceType.CONFIG_MAPS,
        new ObjectKey("default", "live"),
        PatchType.MERGE,
        (ObjectNode) Yaml.parse("data: {colour: red}"));
    client.patch(
        ResourceType.PODS,
        new ObjectKey("default", "watches"),
        PatchType.MERGE,
        (ObjectNode) Yaml.parse("metadata: {labels: {state: moved}}"));
    await()
        .atMost(Duration.ofSeconds(45))
        .untilAsserted(
            () ->
                assertThat(Json.textOr(pod("watches"), "", "status", "phase"))
                    .as(() -> pod("watches").path("status") + written())
                    .isEqualTo("Succeeded"));
    assertThat(said("watches")).as("what is mounted by itself stays").isEqualTo("redblue");
  }

  /// What lies in the pod's volumes, for whoever wants to know why they did not change.
  private String written() {
    return Tool.here(PATIENCE)
        .run("", List.of("grep", "-r", ".", directory.resolve("agent/pods").toString()))
        .output();
  }
}
