package io.fairlead.e2e.originals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.e2e.ApiCaller;
import io.fairlead.e2e.TestServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// kube-controller-manager, kube-scheduler and CoreDNS work on our API server, and have nothing to
/// complain about; the first, which runs all its controllers, but kinds that it does not serve.
@Tag("system")
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OriginalsOnFairleadTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /// The kind is missing, which is a matter of its own.
  private static final String NOT_SERVED = "could not find the requested resource";

  /// The node of this test has no heart, and the server notes no use of tokens that are Secrets.
  private static final List<String> NOT_RUN =
      List.of(
          "-node-lifecycle-controller",
          "-taint-eviction-controller",
          "-pod-garbage-collector-controller",
          "-legacy-serviceaccount-token-cleaner-controller");

  /// Said by every one of them before it does anything.
  private static final String EMPTY_MANIFEST = "The manifest file is empty, ignoring.";

  /// A controller that was quicker than its own watch waits for it and tries again.
  private static final String OWN_WATCH_IS_LATE = "is not as new as written version";

  private TestServer server;
  private ApiCaller caller;
  private OriginalPrograms programs;
  private Path kubeconfig;
  private Path directory;

  @BeforeAll
  void start(@TempDir Path temporary) {
    directory = temporary;
    OriginalPrograms.require("kube-controller-manager");
    server = TestServer.withoutControllers(directory, 36);
    caller = server.caller();
    programs = new OriginalPrograms(directory);
    kubeconfig = directory.resolve("kubeconfig");
    server.writeKubeconfig(kubeconfig);
    caller.create("/api/v1/nodes", "{'metadata':{'name':'n'}}");
    caller.merge(
        "/api/v1/nodes/n/status",
        "{'status':{'conditions':[{'type':'Ready','status':'True'}],"
            + "'allocatable':{'cpu':'4','memory':'4Gi','pods':'100'},"
            + "'capacity':{'cpu':'4','memory':'4Gi','pods':'100'}}}");
  }

  @AfterAll
  void stop() {
    if (programs != null) {
      programs.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @Test
  void theControllerManagerRunsADeploymentAndItsEndpointsAndCoreDnsNamesThem() throws Exception {
    Process _ =
        programs.start(
            "kube-controller-manager",
            List.of(
                OriginalPrograms.require("kube-controller-manager"),
                "--kubeconfig=" + kubeconfig,
                "--leader-elect=false",
                "--secure-port=0",
                "--use-service-account-credentials=true",
                "--controllers=*," + String.join(",", NOT_RUN)));
    await()
        .atMost(PATIENCE)
        .until(() -> exists("/api/v1/namespaces/default/serviceaccounts/default"));
    caller.create(
        "/apis/apps/v1/namespaces/default/deployments",
        "{'metadata':{'name':'web'},'spec':{'selector':{'matchLabels':{'app':'web'}},'template':"
            + "{'metadata':{'labels':{'app':'web'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
    caller.create(
        "/api/v1/namespaces/default/services",
        "{'metadata':{'name':'web'},'spec':{'selector':{'app':'web'},'ports':[{'port':80}]}}");
    await().atMost(PATIENCE).until(() -> items("/api/v1/namespaces/default/pods").size() == 1);
    String pod =
        items("/api/v1/namespaces/default/pods").get(0).path("metadata").path("name").asString();
    HttpResponse<byte[]> bound =
        caller.send(
            "POST",
            "/api/v1/namespaces/default/pods/" + pod + "/binding",
            "application/json",
            "{\"metadata\":{\"name\":\""
                + pod
                + "\"},\"target\":{\"kind\":\"Node\",\"name\":\"n\"}}");
    assertThat(bound.statusCode()).isLessThan(300);
    caller.merge(
        "/api/v1/namespaces/default/pods/" + pod + "/status",
        "{'status':{'phase':'Running','podIP':'10.244.0.9','podIPs':[{'ip':'10.244.0.9'}],"
            + "'conditions':[{'type':'Ready','status':'True'}]}}");
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                items("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices")
                    .toString()
                    .contains("10.244.0.9"));
    namesAreKnown();
    assertThat(complaints("kube-controller-manager").filter(line -> !line.contains(NOT_SERVED)))
        .isEmpty();
  }

  private void namesAreKnown() throws IOException {
    int port = OriginalPrograms.freePort();
    Path corefile =
        Files.writeString(
            directory.resolve("Corefile"),
            """
            .:%d {
              bind 127.0.0.1
              errors
              kubernetes cluster.local {
                kubeconfig %s test
              }
            }
            """
                .formatted(port, kubeconfig));
    Process _ =
        programs.start(
            "coredns", List.of(OriginalPrograms.require("coredns"), "-conf", corefile.toString()));
    String address =
        caller
            .get("/api/v1/namespaces/default/services/web")
            .path("spec")
            .path("clusterIP")
            .asString();
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(
            () -> OriginalPrograms.resolve(port, "web.default.svc.cluster.local").equals(address));
    assertThat(programs.log("coredns")).doesNotContain("[ERROR]", "Failed to");
  }

  @Test
  void theSchedulerComplainsOfNothing() throws Exception {
    Process scheduler =
        programs.start(
            "kube-scheduler",
            List.of(
                OriginalPrograms.require("kube-scheduler"),
                "--kubeconfig=" + kubeconfig,
                "--leader-elect=false",
                "--secure-port=0",
                "-v=2"));
    await()
        .atMost(PATIENCE)
        .failFast(() -> assertThat(scheduler.isAlive()).isTrue())
        .until(
            () ->
                Stream.of("Pod", "Node", "Service", "Namespace", "PodDisruptionBudget")
                    .allMatch(kind -> programs.log("kube-scheduler").contains(populated(kind))));
    assertThat(complaints("kube-scheduler")).isEmpty();
  }

  /// What a program logs when it has all objects of a kind.
  private static String populated(String kind) {
    return "\"Caches populated\" type=\"*v1." + kind + "\"";
  }

  private boolean exists(String path) {
    return caller.send("GET", path, "application/json", "").statusCode() == 200;
  }

  private JsonNode items(String path) {
    return caller.get(path).path("items");
  }

  /// The lines of a log that are errors.
  private Stream<String> complaints(String name) {
    return programs
        .log(name)
        .lines()
        .filter(line -> line.startsWith("E") || line.startsWith("F"))
        .filter(line -> !line.contains(EMPTY_MANIFEST))
        .filter(line -> !line.contains(OWN_WATCH_IS_LATE));
  }
}
