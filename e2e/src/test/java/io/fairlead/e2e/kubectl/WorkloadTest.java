package io.fairlead.e2e.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.fairlead.api.json.Json;
import io.fairlead.e2e.ApiCaller;
import io.fairlead.e2e.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Workloads through the real server with stock kubectl: the controllers and the scheduler do all
/// of it, on nodes that only say they run what they are given.
@Tag("system")
class WorkloadTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String WEB =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 3
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: web, image: "web:1"}]}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec: {selector: {app: web}, ports: [{port: 80}]}
      """;

  @TempDir Path home;
  private TestServer server;
  private ApiCaller api;
  private HollowNodes nodes;
  private Kubectl kubectl;

  @BeforeEach
  void start() throws IOException {
    List<Path> binaries = Kubectl.installed();
    assumeFalse(binaries.isEmpty(), "no kubectl here; ./dev test unpacks one");
    server = TestServer.complete(Files.createDirectories(home.resolve("data")), 36);
    server.writeKubeconfig(home.resolve("config"));
    api = server.caller();
    nodes = new HollowNodes(api, List.of("n1", "n2", "n3"));
    kubectl =
        Kubectl.install(
            binaries.getLast(), home, Files.createDirectories(home.resolve("manifests")));
  }

  @AfterEach
  void stop() {
    if (nodes != null) {
      nodes.close();
      server.close();
    }
  }

  private String run(String command) throws Exception {
    Kubectl.Result result = kubectl.run(command, Map.of(), 90);
    assertThat(result.exit()).as(command + "\n" + result.stdout() + result.stderr()).isEqualTo("0");
    return result.stdout();
  }

  private void apply(String yaml) throws Exception {
    Files.writeString(kubectl.directory().resolve("m.yaml"), yaml);
    run("kubectl apply -f m.yaml");
  }

  private JsonNode list(String path) {
    return api.get(path).path("items");
  }

  private List<String> pods(String selector) {
    List<String> names = new ArrayList<>();
    list("/api/v1/namespaces/default/pods?labelSelector=" + selector)
        .forEach(pod -> names.add(Json.textOr(pod, "", "metadata", "name")));
    return names;
  }

  private int readyAddresses() {
    int ready = 0;
    String slices =
        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices"
            + "?labelSelector=kubernetes.io/service-name=web";
    for (JsonNode slice : list(slices)) {
      for (JsonNode endpoint : slice.path("endpoints")) {
        ready += endpoint.path("conditions").path("ready").asBoolean(false) ? 1 : 0;
      }
    }
    return ready;
  }

  private void endpoints(int count) {
    await().atMost(LONG).until(() -> readyAddresses() == count);
  }

  private String images() throws Exception {
    return run("kubectl get deploy web -o jsonpath='{.spec.template.spec.containers[0].image}'");
  }

  @Test
  void aDeploymentIsRolledScaledAndTakenBack() throws Exception {
    apply(WEB);
    assertThat(run("kubectl rollout status deploy/web --timeout=60s"))
        .endsWith("deployment \"web\" successfully rolled out");
    endpoints(3);
    assertThat(
            run("kubectl get pods -l app=web -o jsonpath='{.items[*].spec.nodeName}'").split(" "))
        .as("spread over the nodes")
        .containsExactlyInAnyOrder("n1", "n2", "n3");

    run("kubectl scale deploy web --replicas=5");
    run("kubectl rollout status deploy/web --timeout=60s");
    endpoints(5);

    run("kubectl set image deploy/web web=web:2");
    run("kubectl rollout status deploy/web --timeout=60s");
    assertThat(run("kubectl rollout history deploy/web")).contains("1 ", "2 ");
    endpoints(5);

    nodes.breaks("web:broken");
    run("kubectl set image deploy/web web=web:broken");
    await()
        .atMost(LONG)
        .until(() -> list("/apis/apps/v1/namespaces/default/replicasets").size() == 3);
    await().atMost(LONG).until(() -> readyAddresses() >= 4);
    run("kubectl rollout undo deploy/web");
    run("kubectl rollout status deploy/web --timeout=60s");
    assertThat(images()).isEqualTo("web:2");
    endpoints(5);

    run("kubectl rollout pause deploy/web");
    run("kubectl set image deploy/web web=web:4");
    run("kubectl rollout resume deploy/web");
    run("kubectl rollout status deploy/web --timeout=60s");
    run("kubectl rollout undo deploy/web --to-revision=1");
    run("kubectl rollout status deploy/web --timeout=60s");
    assertThat(images()).isEqualTo("web:1");
    run("kubectl rollout restart deploy/web");
    run("kubectl rollout status deploy/web --timeout=60s");

    // A roll-out is done before the last of the old pods are gone.
    await().atMost(LONG).until(() -> pods("app=web").size() == 5);
    String gone = pods("app=web").getFirst();
    run("kubectl delete pod " + gone + " --wait=true --timeout=60s");
    run("kubectl rollout status deploy/web --timeout=60s");
    endpoints(5);
    assertThat(pods("app=web")).hasSize(5).doesNotContain(gone);
  }

  @Test
  void threeWaysToDelete() throws Exception {
    apply(WEB);
    run("kubectl rollout status deploy/web --timeout=60s");
    run("kubectl delete deploy web --cascade=orphan");
    await()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(run("kubectl get rs -o jsonpath='{.items[*].metadata.ownerReferences}'"))
                    .isEmpty());
    assertThat(pods("app=web")).hasSize(3);
    apply(WEB);
    run("kubectl rollout status deploy/web --timeout=60s");
    assertThat(list("/apis/apps/v1/namespaces/default/replicasets"))
        .as("the orphan was taken in again")
        .hasSize(1);
    run("kubectl delete deploy web --cascade=foreground --timeout=60s");
    assertThat(pods("app=web")).as("dependents went first").isEmpty();
    assertThat(list("/apis/apps/v1/namespaces/default/replicasets")).isEmpty();
    apply(WEB);
    run("kubectl rollout status deploy/web --timeout=60s");
    run("kubectl delete deploy web --cascade=background");
    await().atMost(LONG).until(() -> pods("app=web").isEmpty());
    endpoints(0);
  }

  @Test
  void setsDaemonsAndJobs() throws Exception {
    apply(
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: db}
        spec:
          replicas: 2
          serviceName: db
          selector: {matchLabels: {app: db}}
          template:
            metadata: {labels: {app: db}}
            spec: {containers: [{name: db, image: "db:1"}]}
        ---
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: agent}
        spec:
          selector: {matchLabels: {app: agent}}
          template:
            metadata: {labels: {app: agent}}
            spec: {containers: [{name: agent, image: "agent:1"}]}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: once}
        spec:
          template:
            spec: {restartPolicy: Never, containers: [{name: once, image: "once:1"}]}
        """);
    run("kubectl rollout status sts/db --timeout=60s");
    run("kubectl rollout status ds/agent --timeout=60s");
    assertThat(pods("app=db")).containsExactly("db-0", "db-1");
    assertThat(pods("app=agent")).hasSize(3);

    run("kubectl set image sts/db db=db:2");
    run("kubectl rollout status sts/db --timeout=60s");
    run("kubectl rollout undo sts/db");
    run("kubectl rollout status sts/db --timeout=60s");
    assertThat(run("kubectl get pod db-0 -o jsonpath='{.spec.containers[0].image}'"))
        .isEqualTo("db:1");
    run("kubectl set image ds/agent agent=agent:2");
    run("kubectl rollout status ds/agent --timeout=60s");
    assertThat(run("kubectl rollout history ds/agent")).contains("1 ", "2 ");

    await().atMost(LONG).until(() -> pods("job-name=once").size() == 1);
    String pod = pods("job-name=once").getFirst();
    await()
        .atMost(LONG)
        .until(
            () ->
                Json.textOr(
                        api.get("/api/v1/namespaces/default/pods/" + pod), "", "status", "phase")
                    .equals("Running"));
    api.merge(
        "/api/v1/namespaces/default/pods/" + pod + "/status", "{'status':{'phase':'Succeeded'}}");
    run("kubectl wait --for=condition=Complete job/once --timeout=60s");
    assertThat(run("kubectl get job once -o jsonpath='{.status.succeeded}'")).isEqualTo("1");
    run("kubectl delete job once --timeout=60s");
    await().atMost(LONG).until(() -> pods("job-name=once").isEmpty());
  }

  @Test
  void whatFitsNowhereSaysWhy() throws Exception {
    apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: big}
        spec:
          containers: [{name: big, image: big, resources: {requests: {cpu: "64"}}}]
        """);
    run("kubectl wait --for=condition=PodScheduled=false pod/big --timeout=60s");
    assertThat(run("kubectl get pod big -o jsonpath='{.status.conditions[0].message}'"))
        .isEqualTo("0/3 nodes are available: 3 Insufficient cpu.");
    await()
        .atMost(LONG)
        .untilAsserted(
            () -> assertThat(run("kubectl describe pod big")).contains("FailedScheduling"));
    run("kubectl cordon n1");
    await()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(run("kubectl get node n1 -o jsonpath='{.spec.taints[*].key}'"))
                    .contains("node.kubernetes.io/unschedulable"));
    run("kubectl create deployment web --image=web:1 --replicas=4");
    run("kubectl rollout status deploy/web --timeout=60s");
    assertThat(run("kubectl get pods -l app=web -o jsonpath='{.items[*].spec.nodeName}'"))
        .doesNotContain("n1");
    run("kubectl uncordon n1");
    await()
        .atMost(LONG)
        .untilAsserted(
            () -> assertThat(run("kubectl get node n1 -o jsonpath='{.spec.taints}'")).isEmpty());
  }
}
