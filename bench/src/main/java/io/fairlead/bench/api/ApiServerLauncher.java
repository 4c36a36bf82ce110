package io.fairlead.bench.api;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Starts API servers that are to be compared. The original is measured where `KUBE_APISERVER` and
/// `etcd` are there; else it is left out and said so.
public final class ApiServerLauncher {
  private static final String TOKEN = "bench-token";
  private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Path home;
  private final Map<String, String> environment;

  public ApiServerLauncher(Path home, Map<String, String> environment) {
    this.home = home;
    this.environment = environment;
  }

  /// The names that can be started here.
  public List<String> names() {
    List<String> names = new ArrayList<>(List.of("fairlead"));
    if (environment.containsKey("KUBE_APISERVER") && onPath("etcd")) {
      names.add("kube-apiserver");
    } else {
      System.err.println("kube-apiserver is not measured: KUBE_APISERVER or etcd is missing");
    }
    return names;
  }

  /// Starts our server on an empty directory, by a command in front such as `env`, and returns when
  /// it is ready.
  public ApiServerUnderTest startFairlead(Path directory, List<String> before) throws Exception {
    return start("fairlead", directory, before);
  }

  /// Starts one on an empty directory and returns when it is ready.
  public ApiServerUnderTest start(String who, Path directory) throws Exception {
    return start(who, directory, List.of());
  }

  private ApiServerUnderTest start(String who, Path directory, List<String> before)
      throws Exception {
    Path tokens = directory.resolve("tokens.csv");
    Files.writeString(tokens, TOKEN + ",bench,bench,\"system:masters\"\n");
    int port = Processes.freePort();
    List<String> command = new ArrayList<>(before);
    command.addAll(fairlead(port, directory.resolve("data"), tokens));
    List<Process> processes =
        who.equals("fairlead")
            ? List.of(Processes.start(directory.resolve("log"), command))
            : original(port, directory, tokens);
    ApiServerUnderTest target = new ApiServerUnderTest(who, port, TOKEN, processes);
    try {
      awaitReady(target);
      return target;
    } catch (Exception e) {
      target.close();
      throw new IllegalStateException(
          who + " did not become ready: " + Files.readString(directory.resolve("log")), e);
    }
  }

  /// The command line of our server; the startup benchmark times it too.
  public List<String> fairlead(int port, Path data, Path tokens) {
    return List.of(
        home.resolve("fairlead").toString(),
        "apiserver",
        "--data-dir=" + data,
        "--secure-port=" + port,
        "--bind-address=127.0.0.1",
        "--token-auth-file=" + tokens);
  }

  private List<Process> original(int port, Path directory, Path tokens) throws Exception {
    Path log = directory.resolve("log");
    int client = Processes.freePort();
    int peer = Processes.freePort();
    Path key = directory.resolve("sa.key");
    Process openssl =
        Processes.start(log, List.of("openssl", "genrsa", "-out", key.toString(), "2048"));
    openssl.waitFor();
    String url = "http://127.0.0.1:" + client;
    String peerUrl = "http://127.0.0.1:" + peer;
    Process etcd =
        Processes.start(
            log,
            List.of(
                "etcd",
                "--data-dir=" + directory.resolve("etcd"),
                "--listen-client-urls=" + url,
                "--advertise-client-urls=" + url,
                "--listen-peer-urls=" + peerUrl,
                "--initial-advertise-peer-urls=" + peerUrl,
                "--initial-cluster=default=" + peerUrl));
    Process server =
        Processes.start(
            log,
            List.of(
                environment.getOrDefault("KUBE_APISERVER", "kube-apiserver"),
                "--etcd-servers=" + url,
                "--secure-port=" + port,
                "--bind-address=127.0.0.1",
                "--cert-dir=" + directory.resolve("certs"),
                "--service-cluster-ip-range=10.96.0.0/12",
                "--token-auth-file=" + tokens,
                "--authorization-mode=RBAC",
                "--service-account-issuer=https://x",
                "--service-account-key-file=" + key,
                "--service-account-signing-key-file=" + key));
    return List.of(etcd, server);
  }

  static void awaitReady(ApiServerUnderTest target) throws InterruptedException, IOException {
    long deadline = System.nanoTime() + READY_NANOS;
    while (System.nanoTime() < deadline) {
      for (Process process : target.processes()) {
        if (!process.isAlive()) {
          throw new IOException("it ended with code " + process.exitValue());
        }
      }
      if (ready(target)) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    throw new IOException("not ready within a minute");
  }

  private static boolean ready(ApiServerUnderTest target) {
    try (RawHttpsConnection wire = RawHttpsConnection.open(target)) {
      return wire.send("GET", "/readyz", "").status() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private boolean onPath(String program) {
    for (String directory : environment.getOrDefault("PATH", "").split(":")) {
      if (Files.isExecutable(Path.of(directory, program))) {
        return true;
      }
    }
    return false;
  }
}
