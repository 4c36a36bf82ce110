package io.fairlead.e2e.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.fairlead.e2e.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A stock kubectl and kinds that are defined while the server runs.
@Tag("system")
class DefinedKindsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: crontabs.stable.example.com}
      spec:
        group: stable.example.com
        scope: Namespaced
        names: {plural: crontabs, singular: crontab, kind: CronTab, shortNames: [ct], categories: [all]}
        versions:
        - name: v1
          served: true
          storage: true
          subresources:
            status: {}
            scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
          additionalPrinterColumns:
          - {name: Spec, type: string, jsonPath: .spec.cronSpec}
          - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  x-kubernetes-validations:
                  - {rule: "!has(self.replicas) || self.replicas < 10", message: too many}
                  properties:
                    cronSpec: {type: string, description: When it runs.}
                    replicas: {type: integer}
                status:
                  type: object
                  properties:
                    replicas: {type: integer}
      """;
  private static final String TAB =
      """
      apiVersion: stable.example.com/v1
      kind: CronTab
      metadata: {name: a}
      spec: {cronSpec: "* * *", replicas: 2}
      """;

  @TempDir Path home;
  private TestServer server;
  private Kubectl kubectl;

  @BeforeEach
  void start() throws IOException {
    List<Path> binaries = Kubectl.installed();
    assumeFalse(binaries.isEmpty(), "no kubectl here; ./dev test unpacks one");
    server = TestServer.complete(Files.createDirectories(home.resolve("data")), 36);
    server.writeKubeconfig(home.resolve("config"));
    kubectl =
        Kubectl.install(
            binaries.getLast(), home, Files.createDirectories(home.resolve("manifests")));
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private Kubectl.Result tried(String command) throws Exception {
    return kubectl.run(command, Map.of(), 90);
  }

  private String run(String command) throws Exception {
    Kubectl.Result result = tried(command);
    assertThat(result.exit()).as(command + "\n" + result.stdout() + result.stderr()).isEqualTo("0");
    return result.stdout();
  }

  private void define() throws Exception {
    Files.writeString(home.resolve("manifests/crd.yaml"), DEFINITION);
    Files.writeString(home.resolve("manifests/tab.yaml"), TAB);
    run("kubectl apply -f crd.yaml");
    run("kubectl wait --for condition=established crd/crontabs.stable.example.com --timeout=60s");
  }

  @Test
  void kubectlDoesWithThemWhatItDoesWithAll() throws Exception {
    define();
    assertThat(run("kubectl apply -f tab.yaml")).isEqualTo("crontab.stable.example.com/a created");
    assertThat(run("kubectl get ct")).startsWith("NAME   SPEC    AGE\na      * * *");
    assertThat(run("kubectl get all")).contains("crontab.stable.example.com/a");
    assertThat(run("kubectl explain crontab.spec.cronSpec")).contains("When it runs.");
    assertThat(run("kubectl scale crontab a --replicas=5")).contains("scaled");
    assertThat(run("kubectl get crontab a -o jsonpath={.spec.replicas}")).isEqualTo("5");
    assertThat(run("kubectl api-resources --api-group=stable.example.com")).contains("crontabs");
    assertThat(tried("kubectl scale crontab a --replicas=50").stderr()).contains("too many");
    Files.writeString(home.resolve("manifests/typo.yaml"), TAB.replace("cronSpec", "cronSpek"));
    assertThat(tried("kubectl apply -f typo.yaml").stderr()).contains("cronSpek");
    run("kubectl apply --server-side --force-conflicts -f tab.yaml");
    assertThat(run("kubectl delete crd crontabs.stable.example.com")).contains("deleted");
    // This command asks which resources there are; the next one takes them from its cache.
    await()
        .untilAsserted(
            () ->
                assertThat(run("kubectl api-resources --api-group=stable.example.com"))
                    .doesNotContain("crontabs"));
    assertThat(tried("kubectl get crontab").stderr())
        .contains("the server doesn't have a resource type \"crontab\"");
  }

  @Test
  void whatTheyOwnGoesWithThem() throws Exception {
    define();
    run("kubectl apply -f tab.yaml");
    String uid = run("kubectl get crontab a -o jsonpath={.metadata.uid}");
    run("kubectl create configmap owned --from-literal=a=b");
    run(
        "kubectl patch configmap owned --type=merge -p"
            + " '{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"stable.example.com/v1\","
            + "\"kind\":\"CronTab\",\"name\":\"a\",\"uid\":\""
            + uid
            + "\"}]}}'");
    run("kubectl delete crontab a");
    await()
        .atMost(LONG)
        .untilAsserted(
            () -> assertThat(tried("kubectl get configmap owned").stderr()).contains("NotFound"));
  }

  @Test
  void aNamespaceTakesThemAlong() throws Exception {
    define();
    run("kubectl create namespace going");
    run("kubectl apply -n going -f tab.yaml");
    run("kubectl delete namespace going --timeout=60s");
    run("kubectl create namespace going");
    assertThat(tried("kubectl get crontab -n going").stderr()).contains("No resources found");
  }
}
