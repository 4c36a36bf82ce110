package io.fairlead.controller.servicestatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.serving.Service;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What is written into a Service's status, and that nothing is written into one that works.
class ServiceConditionControllerTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final FakeApi api =
      new FakeApi(List.of(ResourceType.PODS, ResourceType.NODES, ResourceType.SERVICES));
  private final Client client = new Client(api);
  private final ControllerContext wiring =
      new ControllerContext(client, TimingSources.system(), InstantSource.system());

  @BeforeEach
  void cluster() {
    client.create(
        ResourceType.NODES,
        "",
        yaml("{metadata: {name: a}, status: {conditions: [{type: Ready, status: 'True'}]}}"));
    service("web");
  }

  @AfterEach
  void close() {
    wiring.close();
    api.close();
  }

  @Test
  void tellsWhenNoPodServesAndWhenOneDoesAgain() {
    try (ServiceConditionController controller = started(Duration.ZERO)) {
      pod("web-1", "web", false);
      await().atMost(LONG).until(() -> told("web").equals("False"));
      assertThat(condition("web").path("reason").asString()).isEqualTo("NotReady");
      ready("web-1", true);
      await().atMost(LONG).until(() -> told("web").equals("True"));
      assertThat(controller.loop().statistics().failures()).isZero();
    }
  }

  @Test
  void keepsConditionsOfOthers() {
    client.patch(
        ResourceType.SERVICES,
        new ObjectKey("default", "web"),
        PatchType.MERGE,
        Yaml.parse("{status: {conditions: [{type: example.com/Mine, status: 'True'}]}}"));
    try (ServiceConditionController _ = started(Duration.ZERO)) {
      pod("web-1", "web", false);
      await().atMost(LONG).until(() -> told("web").equals("False"));
      assertThat(object("web").path("status").path("conditions").path(0).path("type").asString())
          .isEqualTo("example.com/Mine");
    }
  }

  @Test
  void neverWritesToAServiceThatWorksOrIsOnlyStarting() {
    try (ServiceConditionController _ = started(Duration.ofDays(1))) {
      String version = version("web");
      pod("web-1", "web", false);
      ready("web-1", true);
      pod("web-2", "web", false);
      service("starting");
      pod("starting-1", "starting", false);
      String startingVersion = version("starting");
      // A Service that once was told of is told the good news: after that all before was looked at.
      service("known");
      client.patch(
          ResourceType.SERVICES,
          new ObjectKey("default", "known"),
          PatchType.MERGE,
          Yaml.parse("{status: {conditions: [{type: fairlead.dev/Serving, status: 'False'}]}}"));
      pod("known-1", "known", true);
      await().atMost(LONG).until(() -> told("known").equals("True"));
      assertThat(version("web")).isEqualTo(version);
      assertThat(version("starting")).isEqualTo(startingVersion);
    }
  }

  private ServiceConditionController started(Duration patience) {
    ServiceConditionController controller = new ServiceConditionController(wiring, patience);
    controller.start();
    wiring.informers().start();
    return controller;
  }

  private void service(String name) {
    client.create(
        ResourceType.SERVICES,
        "default",
        yaml(
            """
            metadata: {name: NAME}
            spec:
              clusterIP: 10.96.0.1
              ipFamilies: [IPv4]
              selector: {app: NAME}
              ports: [{port: 80, targetPort: 8080, protocol: TCP}]
            """
                .replace("NAME", name)));
  }

  private void pod(String name, String app, boolean ready) {
    client.create(
        ResourceType.PODS,
        "default",
        yaml(
            """
            metadata: {name: NAME, labels: {app: APP}}
            spec: {nodeName: a, containers: [{name: c}]}
            status: {phase: Running, podIPs: [{ip: 10.0.0.1}], conditions: [{type: Ready, status: 'READY'}]}
            """
                .replace("NAME", name)
                .replace("APP", app)
                .replace("READY", ready ? "True" : "False")));
  }

  private void ready(String name, boolean ready) {
    ObjectNode pod = client.get(ResourceType.PODS, new ObjectKey("default", name));
    ObjectNode condition = (ObjectNode) pod.path("status").path("conditions").path(0);
    condition.put("status", ready ? "True" : "False");
    client.update(ResourceType.PODS, "status", pod);
  }

  private static ObjectNode yaml(String text) {
    return (ObjectNode) Yaml.parse(text);
  }

  private ObjectNode object(String service) {
    return client.get(ResourceType.SERVICES, new ObjectKey("default", service));
  }

  private String version(String service) {
    return Json.textOr(object(service), "", "metadata", "resourceVersion");
  }

  private JsonNode condition(String service) {
    JsonNode found = Json.object();
    for (JsonNode condition : object(service).path("status").path("conditions")) {
      if (Service.SERVING.equals(Json.text(condition, "type"))) {
        found = condition;
      }
    }
    return found;
  }

  private String told(String service) {
    return Json.textOr(condition(service), "", "status");
  }
}
