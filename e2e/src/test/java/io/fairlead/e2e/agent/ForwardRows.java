package io.fairlead.e2e.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fairlead.kernel.process.CommandRunner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// What goes through `kubectl port-forward`.
record ForwardRows(StreamTestPods pods) {
  /// Many times what all buffers on the way hold. `-Dfairlead.forwarded=1000000000` is the whole
  /// gigabyte of the vector.
  private static final long FILE_BYTES = Long.getLong("fairlead.forwarded", 200_000_000);

  Stream<DynamicTest> rows() {
    return Stream.of(
        dynamicTest("a closed port of the pod is told", this::closedPort),
        dynamicTest("much goes through unchanged", this::upload),
        dynamicTest("P25 a large file comes through unchanged", this::download));
  }

  /// P25: many connections at once.
  void many(Path binary) throws Exception {
    try (PortForward forward = new PortForward(pods, binary, "pod/web", "9376")) {
      CommandRunner.Result result =
          pods.instance()
              .run(
                  "",
                  List.of(
                      "curl",
                      "-s",
                      "--max-time",
                      "60",
                      "-Z",
                      "--parallel-max",
                      "200",
                      "http://127.0.0.1:" + forward.port() + "/?n=[1-200]"));
      assertThat(result.output().lines()).hasSize(200).containsOnly("web");
    }
  }

  private void closedPort() throws Exception {
    try (PortForward forward = new PortForward(pods, pods.newest(), "pod/web", "1")) {
      pods.instance()
          .run(
              "",
              List.of(
                  "curl", "-s", "--max-time", "30", "http://127.0.0.1:" + forward.port() + "/"));
      assertThat(forward.await("an error occurred")).contains("Connection refused");
    }
  }

  private void upload() throws Exception {
    try (PortForward forward = new PortForward(pods, pods.newest(), "pod/web", "8080")) {
      CommandRunner.Result result =
          pods.instance()
              .run(
                  "",
                  List.of(
                      "bash",
                      "-c",
                      """
                  exec 3<>/dev/tcp/127.0.0.1/%d
                  head -c 30000000 /dev/urandom > %2$s/sent
                  cat %2$s/sent >&3 &
                  head -c 30000000 <&3 | cmp - %2$s/sent && echo same
                  """
                          .formatted(forward.port(), pods.home())));
      assertThat(result.output()).as(result.error()).isEqualTo("same\n");
    }
  }

  private void download() throws Exception {
    try (PortForward forward = new PortForward(pods, pods.newest(), "pod/files", "8081")) {
      CommandRunner.Result result =
          CommandRunner.inside(pods.instance().network(), Duration.ofMinutes(5))
              .run(
                  """
                  key=000102030405060708090a0b0c0d0e0f
                  openssl enc -aes-128-ctr -K $key -iv $key -in /dev/zero 2>/dev/null |
                    head -c %3$d > %1$s/large
                  curl -sf --max-time 280 http://127.0.0.1:%2$d/large | cmp - %1$s/large && echo same
                  rm %1$s/large
                  """
                      .formatted(pods.home(), forward.port(), FILE_BYTES),
                  List.of("sh"));
      assertThat(result.output()).as(result.error()).isEqualTo("same\n");
    }
  }
}
