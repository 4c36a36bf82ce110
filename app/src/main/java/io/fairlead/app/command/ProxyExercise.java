package io.fairlead.app.command;

import io.fairlead.app.cli.CommandContext;
import io.fairlead.work.Pacer;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Runs a proxy until its first rules are written, and another that finds them in place as after a
/// restart, so that the JVM learns which classes that takes. The network around it must be one for
/// training.
final class ProxyExercise {
  private static final List<Integer> PORTS = List.of(10256, 10257);
  private static final Duration PAUSE = Duration.ofMillis(100);
  // A minute in all: machines that build are busy.
  private static final int MOST_ROUNDS = 600;

  private ProxyExercise() {}

  static void run(Path directory, CommandContext context) throws IOException, InterruptedException {
    try (TrainingApi api = TrainingApi.start()) {
      Path kubeconfig =
          Files.writeString(
              directory.resolve("kubeconfig"),
              """
              apiVersion: v1
              kind: Config
              current-context: c
              clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
              users: [{name: c, user: {}}]
              contexts: [{name: c, context: {cluster: c, user: c}}]
              """
                  .formatted(api.port()));
      for (int port : PORTS) {
        run(port, kubeconfig, directory.resolve("control-" + port), context);
        // The second one shall find what the first has written down.
        await(() -> Files.exists(directory.resolve("standing.json")), "left no note");
      }
    }
  }

  private static void run(int port, Path kubeconfig, Path control, CommandContext context)
      throws InterruptedException {
    String health = "127.0.0.1:" + port;
    List<String> line =
        List.of(
            "proxy",
            "--mode=nftables",
            "--kubeconfig=" + kubeconfig,
            "--hostname-override=training",
            "--conntrack-max-per-core=0",
            "--healthz-bind-address=" + health,
            "--metrics-bind-address=",
            "--control=" + control);
    Tasks.startPlatform("training-proxy", () -> Main.shell().run(line, context));
    await(() -> isReady(health), "did not become ready");
  }

  private static void await(BooleanSupplier condition, String otherwise)
      throws InterruptedException {
    for (int round = 0; !condition.getAsBoolean(); round++) {
      if (round == MOST_ROUNDS) {
        throw new IllegalStateException("the proxy under training " + otherwise);
      }
      Pacer.system().pause(PAUSE);
    }
  }

  private static boolean isReady(String health) {
    try {
      URI address = URI.create("http://" + health + "/readyz");
      return ((HttpURLConnection) address.toURL().openConnection()).getResponseCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }
}
