package io.fairlead.e2e.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fairlead.e2e.Instance;
import io.fairlead.kernel.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `up --lab`: a node that the machine around it does not notice.
@Tag("system")
class LabTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: hostnames-0, labels: {app: hostnames}}
      spec: {containers: [{name: hostnames, image: fairlead.dev/hostnames}]}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: hostnames}
      spec: {clusterIP: 10.96.1.175, selector: {app: hostnames}, ports: [{port: 80, targetPort: 9376}]}
      """;

  @TempDir Path home;
  private Path launcher;

  @BeforeEach
  void canBeMade() throws IOException {
    assumeThat(Machine.kubectl()).as("kubectl is installed").isPresent();
    assumeThat(
            Tool.here(LIMIT)
                .run("", List.of("unshare", "--user", "--map-root-user", "--net", "true"))
                .exit())
        .as("user namespaces are allowed")
        .isZero();
    launcher = Instance.launcher(home);
  }

  @AfterEach
  void end() {
    if (launcher != null) {
      fairlead("down", "--purge");
    }
  }

  private Tool.Result fairlead(String verb, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "env",
                "-u",
                "KUBECONFIG",
                "HOME=" + home,
                "SHELL=/bin/sh",
                "LC_ALL=C.UTF-8",
                "sh",
                "-c",
                "exec \"$@\" 2>&1",
                "sh",
                launcher.toString(),
                verb,
                "--data-dir=" + home.resolve("data")));
    command.addAll(List.of(words));
    return Tool.here(LIMIT).run("", command);
  }

  private String inside(String script) {
    Tool.Result result = fairlead("shell", script);
    assertThat(result.exit()).as(result.output()).isZero();
    return result.output();
  }

  @Test
  void everythingHappensInside() throws IOException {
    Tool.Result up =
        fairlead("up", "--lab", "--kubeconfig=" + home.resolve("kubeconfig"), "--timeout=120");
    Machine.must(up);
    assertThat(up.output()).contains("✓ proxy", "✓ DNS", "✓ node agent", "Next: fairlead shell");
    Files.writeString(home.resolve("objects.yaml"), OBJECTS);
    String kubectl = Machine.kubectl().orElseThrow();
    inside(kubectl + " apply -f " + home.resolve("objects.yaml"));
    String answer =
        inside(
            "timeout 150 sh -c 'until curl -sf --max-time 5 http://10.96.1.175/; do sleep 0.2; done'");
    assertThat(answer.strip()).isEqualTo("hostnames-0");
    assertThat(
            inside("dig +short +time=20 @10.96.0.10 hostnames.default.svc.cluster.local").strip())
        .isEqualTo("10.96.1.175");
    Tool.Result status = fairlead("status");
    Machine.must(status);
    assertThat(status.output()).contains("✓ api", "✓ proxy", "✓ dns", "✓ agent");
    assertThat(inside("readlink /proc/self/ns/net").strip())
        .isNotEqualTo(Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString());
    Tool.Result down = fairlead("down");
    Machine.must(down);
    assertThat(down.output()).contains("✓ stopped", "✓ lab closed");
    assertThat(fairlead("shell", "true").output()).contains("(FL225)");
  }
}
