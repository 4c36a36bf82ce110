package io.fairlead.e2e.originals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.app.cli.ArgumentParser;
import io.fairlead.app.cli.Grammar;
import io.fairlead.app.controllers.ControllersOptionReader;
import io.fairlead.app.controllers.ControllersProcess;
import io.fairlead.e2e.ApiCaller;
import io.fairlead.e2e.TestServer;
import io.fairlead.http.tls.PemWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Our controllers on a kube-apiserver, with the flags that kubeadm gives a
/// kube-controller-manager.
@Tag("system")
@Tag("slow")
class FairleadOnOriginalTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @Test
  void ourControllersRunADeploymentAndItsEndpoints(@TempDir Path directory) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    Path key =
        Files.writeString(
            directory.resolve("sa.key"),
            PemWriter.privateKey(generator.generateKeyPair().getPrivate()));
    try (OriginalPrograms programs = new OriginalPrograms(directory)) {
      URI url = programs.startApiServer("kube-apiserver", programs.startEtcd(), key, List.of());
      ApiCaller caller = new ApiCaller(TestServer.http(), url, OriginalPrograms.TOKEN);
      try (ControllersProcess _ = controllers(directory, url)) {
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
        await().atMost(PATIENCE).until(() -> pods(caller).size() == 2);
        String pod = pods(caller).get(0).path("metadata").path("name").asString();
        caller.create("/api/v1/nodes", "{'metadata':{'name':'n'}}");
        caller.create(
            "/api/v1/namespaces/default/pods/" + pod + "/binding",
            "{'metadata':{'name':'" + pod + "'},'target':{'kind':'Node','name':'n'}}");
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
        assertThat(
                caller
                    .get("/apis/apps/v1/namespaces/default/deployments/web")
                    .path("status")
                    .path("replicas")
                    .asInt())
            .isEqualTo(2);
      }
    }
  }

  private static ControllersProcess controllers(Path directory, URI url) throws Exception {
    Path kubeconfig =
        Files.writeString(
            directory.resolve("kubeconfig"),
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
                .formatted(url, OriginalPrograms.TOKEN));
    return ControllersProcess.start(
        new ControllersOptionReader(
                new ArgumentParser(Map.of())
                    .parse(
                        Grammar.CONTROLLERS,
                        List.of(
                            "--kubeconfig=" + kubeconfig,
                            "--secure-port=0",
                            "--controllers=*,bootstrapsigner,tokencleaner",
                            "--cluster-name=kubernetes",
                            "--service-cluster-ip-range=10.96.0.0/12",
                            "--use-service-account-credentials=true",
                            "--leader-elect=true")),
                Map.of())
            .read());
  }

  private static boolean exists(ApiCaller caller, String path) {
    return caller.send("GET", path, "application/json", "").statusCode() == 200;
  }

  private static JsonNode pods(ApiCaller caller) {
    return caller.get("/api/v1/namespaces/default/pods").path("items");
  }
}
