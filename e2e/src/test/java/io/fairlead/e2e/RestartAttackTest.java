package io.fairlead.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server that was killed and starts again (BENCH.md X10): from its first open connection on,
/// whatever was refused before is refused, and what was taken back stays taken back.
@Tag("system")
class RestartAttackTest {
  private static final int KILLS = 2;
  private static final int ANSWERS = 5;
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String NAMESPACE = "/api/v1/namespaces/default";
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";

  @TempDir Path home;
  private int port;
  private @Nullable Process process;

  /// @param token empty for none
  record Attack(
      String name, String method, String path, String token, String body, List<Integer> codes) {
    @Override
    public String toString() {
      return name;
    }
  }

  @AfterEach
  void end() throws Exception {
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
  }

  private void start() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                FairleadCli.launcher(home).toString(),
                "apiserver",
                "--data-dir=" + home.resolve("data"),
                "--secure-port=" + port,
                "--bind-address=127.0.0.1",
                "--token-auth-file=" + home.resolve("tokens.csv"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(home.resolve("log").toFile()));
    builder.environment().put("LC_ALL", "C.UTF-8");
    process = builder.start();
  }

  private void kill() throws Exception {
    Process running = Objects.requireNonNull(process);
    running.destroyForcibly();
    running.waitFor();
  }

  private int code(Attack attack) throws IOException {
    try (RawTls connection = new RawTls(port)) {
      return connection.call(
          attack.method(), attack.path(), attack.token(), attack.body().replace('\'', '"'));
    }
  }

  private void admin(String method, String path, String body) throws IOException {
    assertThat(code(new Attack("set up", method, path, "admin", body, List.of())))
        .as(method + " " + path)
        .isIn(200, 201);
  }

  /// What is there before the kill. Returns a token of an account that is gone.
  private String prepare() throws Exception {
    admin("POST", NAMESPACE + "/secrets", "{'metadata':{'name':'crown-jewels'}}");
    admin("POST", "/api/v1/nodes", "{'metadata':{'name':'n1'}}");
    admin("POST", "/api/v1/nodes", "{'metadata':{'name':'n2'}}");
    admin("POST", NAMESPACE + "/serviceaccounts", "{'metadata':{'name':'gone'}}");
    String subject = "{'kind':'User','apiGroup':'rbac.authorization.k8s.io','name':'fired'}";
    admin(
        "POST",
        RBAC + "/clusterrolebindings",
        "{'metadata':{'name':'fired'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
            + "'kind':'ClusterRole','name':'cluster-admin'},'subjects':["
            + subject
            + "]}");
    String token =
        Json.parse(
                TestServer.http()
                    .send(
                        HttpRequest.newBuilder(
                                URI.create(
                                    "https://127.0.0.1:"
                                        + port
                                        + NAMESPACE
                                        + "/serviceaccounts/gone/token"))
                            .header("Authorization", "Bearer admin")
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString("{}"))
                            .build(),
                        BodyHandlers.ofByteArray())
                    .body())
            .at("/status/token")
            .asString("");
    assertThat(token).isNotEmpty();
    admin("GET", NAMESPACE + "/secrets/crown-jewels", "");
    admin("DELETE", RBAC + "/clusterrolebindings/fired", "");
    admin("DELETE", NAMESPACE + "/serviceaccounts/gone", "");
    return token;
  }

  private static List<Attack> attacks(String token) {
    String secret = NAMESPACE + "/secrets/crown-jewels";
    return List.of(
        new Attack("nobody reads a Secret", "GET", secret, "", "", List.of(403)),
        new Attack("a wrong token", "GET", secret, "wrong", "", List.of(401)),
        new Attack("a token of an account that is gone", "GET", secret, token, "", List.of(401)),
        new Attack("a user whose binding is gone", "GET", secret, "fired", "", List.of(403)),
        new Attack("a node reads a Secret", "GET", secret, "node", "", List.of(403)),
        new Attack(
            "a node changes another",
            "PUT",
            "/api/v1/nodes/n2",
            "node",
            "{'metadata':{'name':'n2'}}",
            List.of(403)),
        new Attack(
            "a user binds himself",
            "POST",
            RBAC + "/clusterrolebindings",
            "fired",
            "{'metadata':{'name':'x'}}",
            List.of(403)),
        new Attack(
            "X2 an address of others",
            "POST",
            NAMESPACE + "/services",
            "admin",
            "{'metadata':{'name':'x'},'spec':{'ports':[{'port':80}],'externalIPs':['192.0.2.1']}}",
            List.of(403, 422)),
        new Attack(
            "X3 an endpoint on loopback",
            "POST",
            "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
            "admin",
            "{'metadata':{'name':'x'},'addressType':'IPv4','endpoints':[{'addresses':"
                + "['127.0.0.1']}]}",
            List.of(422)),
        new Attack(
            "X3 an endpoint on loopback, IPv6",
            "POST",
            "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
            "admin",
            "{'metadata':{'name':'x'},'addressType':'IPv6','endpoints':[{'addresses':['::1']}]}",
            List.of(422)),
        new Attack("X5 the wrong scope", "GET", NAMESPACE + "/nodes/n1", "admin", "", List.of(404)),
        new Attack("the rightful one", "GET", secret, "admin", "", List.of(200)));
  }

  /// Tries from before the port is open until it has been answered a few times.
  private List<Integer> answers(Attack attack) {
    List<Integer> codes = new CopyOnWriteArrayList<>();
    Awaitility.await(attack.name())
        .atMost(LONG)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .until(
            () -> {
              try {
                codes.add(code(attack));
              } catch (IOException _) {
                // Not open yet.
              }
              return codes.size() >= ANSWERS;
            });
    return codes;
  }

  @Test
  void whatWasRefusedIsRefusedFromTheFirstConnectionOn() throws Exception {
    port = FairleadCli.freePort();
    Files.writeString(
        home.resolve("tokens.csv"),
        "admin,root,1,system:masters\nnode,system:node:n1,2,system:nodes\nfired,fired,3\n");
    start();
    Attack ready = new Attack("ready", "GET", "/readyz", "", "", List.of(200));
    Awaitility.await()
        .atMost(LONG)
        .until(
            () -> {
              try {
                return code(ready) == 200;
              } catch (IOException _) {
                return false;
              }
            });
    List<Attack> attacks = attacks(prepare());
    SoftAssertions softly = new SoftAssertions();
    for (int i = 0; i < KILLS; i++) {
      kill();
      List<Future<List<Integer>>> running;
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        running = attacks.stream().map(one -> threads.submit(() -> answers(one))).toList();
        start();
      }
      for (int at = 0; at < attacks.size(); at++) {
        Attack one = attacks.get(at);
        softly.assertThat(running.get(at).get()).as(one.name()).isSubsetOf(one.codes());
      }
    }
    softly.assertAll();
  }
}
