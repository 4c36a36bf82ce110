package io.fairlead.bench.api;

import io.fairlead.bench.report.Originals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Starts API servers that are to be compared. The original is measured where it is found with its
/// `etcd`; else it is left out and said so.
public final class ApiServerLauncher {
  private static final String TOKEN = "bench-token";
  private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Path home;

  public ApiServerLauncher(Path home) {
    this.home = home;
  }

  /// The names that can be started here.
  public List<String> names() throws IOException, InterruptedException {
    List<String> names = new ArrayList<>(List.of("fairlead"));
    if (Originals.KUBE_APISERVER.find().isPresent() && Originals.ETCD.find().isPresent()) {
      names.add("kube-apiserver");
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
            : original(port, "127.0.0.1", directory, tokens, List.of());
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

  /// Starts kube-apiserver on an etcd of its own.
  ///
  /// @param flags more of them
  public static List<Process> original(
      int port, String bind, Path directory, Path tokens, List<String> flags) throws Exception {
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
                Originals.ETCD.find().orElseThrow().toString(),
                "--data-dir=" + directory.resolve("etcd"),
                "--listen-client-urls=" + url,
                "--advertise-client-urls=" + url,
                "--listen-peer-urls=" + peerUrl,
                "--initial-advertise-peer-urls=" + peerUrl,
                "--initial-cluster=default=" + peerUrl));
    List<String> command =
        new ArrayList<>(
            List.of(
                Originals.KUBE_APISERVER.find().orElseThrow().toString(),
                "--etcd-servers=" + url,
                "--secure-port=" + port,
                "--bind-address=" + bind,
                "--cert-dir=" + directory.resolve("certs"),
                "--service-cluster-ip-range=10.96.0.0/12",
                "--token-auth-file=" + tokens,
                "--authorization-mode=RBAC",
                "--service-account-issuer=https://x",
                "--service-account-key-file=" + key,
                "--service-account-signing-key-file=" + key));
    command.addAll(flags);
    return List.of(etcd, Processes.start(log, command));
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
}
