package io.fairlead.e2e.originals;

import static org.awaitility.Awaitility.await;

import io.fairlead.app.cli.ArgumentParser;
import io.fairlead.app.cli.Grammar;
import io.fairlead.app.controllers.ControllersOptionReader;
import io.fairlead.app.controllers.ControllersProcess;
import io.fairlead.e2e.ApiCaller;
import io.fairlead.e2e.FairleadCli;
import io.fairlead.e2e.TestServer;
import io.fairlead.http.tls.PemWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Our controllers, scheduler and DNS server on a kube-apiserver, as the users and with the flags
/// that kubeadm gives the originals.
@Tag("system")
@Tag("slow")
class FairleadOnOriginalTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @Test
  void ourPartsRunADeploymentAndItsEndpointsAndName(@TempDir Path directory) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    Path key =
        Files.writeString(
            directory.resolve("sa.key"),
            PemWriter.privateKey(generator.generateKeyPair().getPrivate()));
    try (OriginalPrograms programs = new OriginalPrograms(directory)) {
      URI url = programs.startApiServer("kube-apiserver", programs.startEtcd(), key, List.of());
      ApiCaller caller = new ApiCaller(TestServer.http(), url, OriginalPrograms.TOKEN);
      node(caller);
      try (ControllersProcess _ =
              controllers(
                  directory,
                  url,
                  OriginalPrograms.MANAGER_TOKEN,
                  "--controllers=*,-nodelifecycle,-taint-eviction,bootstrapsigner,tokencleaner",
                  "--cluster-name=kubernetes",
                  "--service-cluster-ip-range=10.96.0.0/12",
                  "--use-service-account-credentials=true",
                  "--leader-elect=true");
          ControllersProcess _ =
              controllers(
                  directory,
                  url,
                  OriginalPrograms.SCHEDULER_TOKEN,
                  "--controllers=scheduler",
                  "--leader-elect=true",
                  "--leader-elect-resource-name=kube-scheduler")) {
        await()
            .atMost(PATIENCE)
            .until(() -> exists(caller, "/api/v1/namespaces/default/serviceaccounts/default"));
        caller.create(
            "/apis/apps/v1/namespaces/default/deployments",
            "{'metadata':{'name':'web'},'spec':{'replicas':2,'selector':{'matchLabels':{'app':'web'}},"
                + "'template':{'metadata':{'labels':{'app':'web'}},"
                + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
        caller.create(
            "/api/v1/namespaces/default/services",
            "{'metadata':{'name':'web'},'spec':{'selector':{'app':'web'},'ports':[{'port':80}]}}");
        await().atMost(PATIENCE).until(() -> placed(caller).size() == 2);
        String pod = placed(caller).getFirst();
        caller.merge(
            "/api/v1/namespaces/default/pods/" + pod + "/status",
            "{'status':{'phase':'Running','podIP':'10.244.0.9','podIPs':[{'ip':'10.244.0.9'}],"
                + "'conditions':[{'type':'Ready','status':'True'}]}}");
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    caller
                        .get("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices")
                        .toString()
                        .contains("10.244.0.9"));
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    caller
                            .get("/apis/apps/v1/namespaces/default/deployments/web")
                            .path("status")
                            .path("replicas")
                            .asInt()
                        == 2);
        namesAreKnown(programs, caller, directory);
      }
    }
  }

  private static void node(ApiCaller caller) {
    caller.create("/api/v1/nodes", "{'metadata':{'name':'n'}}");
    // A new one is tainted until the controller of nodes has seen that it is ready; none runs here.
    caller.merge("/api/v1/nodes/n", "{'spec':{'taints':null}}");
    caller.merge(
        "/api/v1/nodes/n/status",
        "{'status':{'conditions':[{'type':'Ready','status':'True'}],"
            + "'allocatable':{'cpu':'4','memory':'4Gi','pods':'100'},"
            + "'capacity':{'cpu':'4','memory':'4Gi','pods':'100'}}}");
  }

  /// Pods that the scheduler has put on the node.
  private static List<String> placed(ApiCaller caller) {
    List<String> names = new ArrayList<>();
    for (JsonNode pod : caller.get("/api/v1/namespaces/default/pods").path("items")) {
      if (pod.path("spec").path("nodeName").asString("").equals("n")) {
        names.add(pod.path("metadata").path("name").asString());
      }
    }
    return names;
  }

  /// Our DNS server answers with the Service's address.
  private static void namesAreKnown(OriginalPrograms programs, ApiCaller caller, Path directory)
      throws IOException {
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
                .formatted(port, directory.resolve(OriginalPrograms.MANAGER_TOKEN)));
    Process _ =
        programs.start(
            "dns",
            List.of(
                FairleadCli.launcher(directory).toString(),
                "dns-server",
                "-conf",
                corefile.toString()));
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
  }

  private static ControllersProcess controllers(
      Path directory, URI url, String token, String... flags) throws Exception {
    Path kubeconfig =
        Files.writeString(
            directory.resolve(token),
            """
            apiVersion: v1
            kind: Config
            current-context: test
            clusters:
            - name: test
              cluster: {server: "%s", insecure-skip-tls-verify: true}
            users:
            - name: test
              user: {token: "%s"}
            contexts:
            - name: test
              context: {cluster: test, user: test}
            """
                .formatted(url, token));
    List<String> words = new ArrayList<>(List.of("--kubeconfig=" + kubeconfig, "--secure-port=0"));
    words.addAll(List.of(flags));
    return ControllersProcess.start(
        new ControllersOptionReader(
                new ArgumentParser(Map.of()).parse(Grammar.CONTROLLERS, words), Map.of())
            .read());
  }

  private static boolean exists(ApiCaller caller, String path) {
    return caller.send("GET", path, "application/json", "").statusCode() == 200;
  }
}
