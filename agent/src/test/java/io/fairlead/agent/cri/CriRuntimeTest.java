package io.fairlead.agent.cri;

import static io.fairlead.agent.cri.CriFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.LinuxContainerResources;
import io.fairlead.agent.runtime.LinuxContainerSecurityContext;
import io.fairlead.agent.runtime.RegistryCredentials;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.agent.testing.DebianImages;
import io.fairlead.work.LoopFaults;
import io.fairlead.work.LoopRegistry;
import io.fairlead.work.LoopStatus;
import io.fairlead.work.Pacer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Real containers in a containerd of the test's own, on a node that is a network namespace.
class CriRuntimeTest extends WithContainerd {
  /// Takes 64 MiB in the container's first process: a child's end would be another story.
  private static final String[] GREEDY = {
    "dd", "if=/dev/zero", "of=/dev/null", "bs=64M", "count=1"
  };

  @Test
  void n9AContainerSeesItsPodAndItsExitCodeIsTold() {
    SandboxInfo sandbox = lab.sandbox("tools");
    assertThat(sandbox.addresses()).hasSize(1).first().asString().startsWith("10.244.21.");
    String id =
        lab.run(
            sandbox,
            "tools",
            "sh",
            "-c",
            "hostname; pwd; cat /settings/colour; echo $GREETING; cat /etc/hosts /etc/resolv.conf;"
                + " echo $$; touch /settings/x 2>/dev/null || echo read-only; exit 9");
    await().atMost(PATIENCE).until(() -> lab.info(id).exited());
    assertThat(lab.info(id).exitCode()).isEqualTo(9);
    assertThat(lab.info(id).reason()).isEqualTo("Error");
    assertThat(lab.info(id).hash()).isEqualTo("hash");
    assertThat(lab.runtime().shown(id)).isEqualTo("containerd://" + id);
    assertThat(lab.lines(sandbox, "tools"))
        .contains("tools", "/tmp", "blue", "hello there", "1", "read-only")
        .contains("10.9.9.9\tspecial.example", "nameserver 10.96.0.10", "options ndots:5");
  }

  @Test
  void aContainerRunsAsWhoItIsTold() {
    SandboxInfo sandbox = lab.sandbox("who");
    LinuxContainerSecurityContext nobody =
        new LinuxContainerSecurityContext(
            OptionalLong.of(65534),
            OptionalLong.of(65534),
            List.of(),
            false,
            true,
            true,
            List.of(),
            List.of("ALL"),
            true);
    String id =
        lab.run(
            sandbox,
            lab.container(
                sandbox,
                "who",
                LinuxContainerResources.NONE,
                nobody,
                "sh",
                "-c",
                "id -u; touch /x 2>/dev/null || echo read-only"));
    await().atMost(PATIENCE).until(() -> lab.info(id).exited());
    assertThat(lab.lines(sandbox, "who")).containsExactly("65534", "read-only");
  }

  @ParameterizedTest
  @ValueSource(strings = {CriRuntimeCache.LOOP, "containerd-guard"})
  void aLoopThatFailsOnceGoesOn(String kind) {
    long failed = status(kind).restarts();
    assertThat(LoopFaults.failOnce(kind)).isPositive();
    await().atMost(PATIENCE).until(() -> status(kind).restarts() > failed);
    long steps = status(kind).steps();
    await().atMost(PATIENCE).until(() -> status(kind).steps() > steps);
  }

  private static LoopStatus status(String kind) {
    return LoopRegistry.statuses().stream()
        .filter(one -> one.kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatAContainerUsesIsTold() {
    String id = lab.run(lab.sandbox("tools"), "tools", "sleep", "1000");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(lab.runtime().usage())
                    .hasEntrySatisfying(
                        id,
                        used -> {
                          assertThat(used.cpu()).isPositive();
                          assertThat(used.memory()).isPositive();
                        }));
  }

  @Test
  void n52APodInTheNodesNetworkListensThere() {
    SandboxInfo sandbox =
        lab.runtime().runSandbox(lab.pod("node", LinuxContainerResources.NONE, true, List.of()));
    assertThat(sandbox.hostNetwork()).isTrue();
    assertThat(sandbox.addresses()).isEmpty();
    lab.run(sandbox, "node", "httpd", "-f", "-p", "127.0.0.1:18081", "-h", "/settings");
    await().atMost(PATIENCE).until(() -> lab.curl("http://127.0.0.1:18081/colour").equals("blue"));
  }

  @Test
  void n53APortOfTheNodeLeadsToThePod() {
    SandboxInfo sandbox =
        lab.runtime()
            .runSandbox(
                lab.pod(
                    "web",
                    LinuxContainerResources.NONE,
                    false,
                    List.of(new SandboxConfig.HostPort("", 18080, 80, "TCP"))));
    lab.run(sandbox, "web", "httpd", "-f", "-p", "80", "-h", "/settings");
    await()
        .atMost(PATIENCE)
        .until(
            () -> lab.curl("http://" + sandbox.addresses().getFirst() + "/colour").equals("blue"));
    assertThat(lab.curl("http://10.244.21.1:18080/colour"))
        .as("the node's address")
        .isEqualTo("blue");
    assertThat(lab.curl("http://127.0.0.1:18080/colour")).as("loopback").isEqualTo("blue");
    lab.runtime().removeSandbox(sandbox.id());
    assertThat(lab.onNode("iptables-save", "-t", "nat")).doesNotContain("18080");
  }

  @Test
  void n10AContainerThatTakesTooMuchMemoryIsEnded() {
    SandboxInfo sandbox = lab.sandbox("greedy");
    String id =
        lab.run(
            sandbox,
            lab.container(
                sandbox,
                "greedy",
                new LinuxContainerResources(100, 0, 0, 16 << 20, 1000),
                LinuxContainerSecurityContext.NONE,
                GREEDY));
    await().atMost(PATIENCE).until(() -> lab.info(id).exited());
    assertThat(lab.info(id).exitCode()).isEqualTo(137);
    await().atMost(PATIENCE).until(() -> lab.info(id).reason().equals("OOMKilled"));
  }

  @Test
  void n11TheLimitOfThePodHoldsForAllItsContainers() {
    SandboxInfo sandbox =
        lab.runtime()
            .runSandbox(lab.pod("greedy", new LinuxContainerResources(0, 0, 0, 32 << 20, 0)));
    String id = lab.run(sandbox, "greedy", GREEDY);
    await().atMost(PATIENCE).until(() -> lab.info(id).exited());
    assertThat(lab.info(id).exitCode()).isEqualTo(137);
    assertThat(lab.runtime().sandboxes()).extracting(SandboxInfo::ready).containsExactly(true);
    lab.runtime().removeSandbox(sandbox.id());
    await().atMost(PATIENCE).until(() -> lab.groups(sandbox.podUid()).isEmpty());
  }

  @Test
  void n24AndN25StoppingAsksAndThenForces() {
    SandboxInfo sandbox = lab.sandbox("tools");
    String polite =
        lab.run(
            sandbox,
            "polite",
            "sh",
            "-c",
            "trap 'exit 5' TERM; echo set; while :; do sleep 0.1; done");
    String deaf = lab.run(sandbox, "deaf", "sleep", "1000");
    await().atMost(PATIENCE).until(() -> lab.lines(sandbox, "polite").contains("set"));
    lab.runtime().stop(polite, PATIENCE);
    await().atMost(PATIENCE).until(() -> lab.info(polite).exited());
    assertThat(lab.info(polite).exitCode()).isEqualTo(5);
    lab.runtime().stop(deaf, Duration.ofSeconds(1000));
    assertThat(lab.info(deaf).running()).isTrue();
    lab.runtime().stop(deaf, Duration.ZERO);
    await().atMost(PATIENCE).until(() -> lab.info(deaf).exited());
    assertThat(lab.info(deaf).exitCode()).isEqualTo(137);
  }

  @Test
  void n60AProgramThatIsNotThereIsNamed() {
    SandboxInfo sandbox = lab.sandbox("tools");
    String id =
        lab.runtime()
            .create(
                sandbox.id(),
                lab.container(
                    sandbox,
                    "tools",
                    LinuxContainerResources.NONE,
                    LinuxContainerSecurityContext.NONE,
                    "/no/such"));
    assertThatThrownBy(() -> lab.runtime().start(id))
        .isInstanceOfSatisfying(
            RuntimeFailure.class, e -> assertThat(e.reason()).isEqualTo("RunContainerError"))
        .hasMessageContaining("/no/such");
  }

  @Test
  void nothingOfAPodIsLeft() throws IOException {
    SandboxInfo sandbox = lab.sandbox("web");
    String id = lab.run(sandbox, "web", "sleep", "1000");
    assertThat(lab.onNode("ip", "-o", "link")).contains("veth");
    assertThat(lab.groups(sandbox.podUid())).isNotEmpty();
    lab.runtime().removeSandbox(sandbox.id());
    assertThat(lab.runtime().sandboxes()).isEmpty();
    assertThat(lab.runtime().containers()).isEmpty();
    assertThat(lab.onNode("ip", "-o", "link")).doesNotContain("veth");
    assertThat(lab.onNode("ip", "route")).doesNotContain("10.244");
    assertThat(directory.resolve("network/fairlead").resolve(sandbox.addresses().getFirst()))
        .doesNotExist();
    await().atMost(PATIENCE).until(() -> lab.groups(sandbox.podUid()).isEmpty());
    assertThat(Files.readString(Path.of("/proc/self/mounts")))
        .doesNotContain(id)
        .doesNotContain(sandbox.id());
  }

  @Test
  void n64ARestartedAgentFindsWhatRuns() {
    SandboxInfo sandbox = lab.sandbox("web");
    String id = lab.run(sandbox, "web", "sleep", "1000");
    ContainerInfo before = lab.info(id);
    lab.reopen();
    assertThat(lab.runtime().sandboxes()).containsExactly(sandbox);
    assertThat(lab.runtime().containers()).containsExactly(before);
    String other = lab.run(sandbox, "other", "sleep", "1000");
    assertThat(lab.info(other).running()).isTrue();
  }

  @Test
  void anotherNodesPodsAreNotSeen() {
    lab.sandbox("web");
    try (CriRuntime other =
        CriRuntime.open(
            lab.containerd().socket(),
            "node-b",
            PodCgroups.ofMachine(directory.resolve("cgroups-b"), "/"),
            InstantSource.system(),
            Pacer.system())) {
      assertThat(other.sandboxes()).isEmpty();
    }
  }

  @Test
  void n65ContainersOutliveTheirEngine() {
    SandboxInfo sandbox = lab.sandbox("web");
    String id = lab.run(sandbox, "web", "sh", "-c", "while :; do sleep 1; done");
    ProcessHandle engine = lab.containerd().process().orElseThrow();
    engine.destroyForcibly();
    await().atMost(PATIENCE).until(() -> !engine.isAlive());
    assertThat(lab.info(id).running()).as("the last list stands").isTrue();
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> lab.runtime().exec(id, List.of("echo", "here"), PATIENCE).exitCode() == 0);
    assertThat(lab.runtime().sandboxes()).extracting(SandboxInfo::id).containsExactly(sandbox.id());
    assertThat(lab.info(id).running()).isTrue();
    lab.runtime().stop(id, Duration.ZERO);
    await().atMost(PATIENCE).until(() -> lab.info(id).exited());
  }

  @Test
  void n63ALogThatIsPutAsideGoesOnInANewFile() throws IOException {
    SandboxInfo sandbox = lab.sandbox("tools");
    String count = "i=0; while :; do i=$((i+1)); echo line $i; sleep 0.01; done";
    String id = lab.run(sandbox, "tools", "sh", "-c", count);
    await().atMost(PATIENCE).until(() -> lab.lines(sandbox, "tools").size() > 20);
    Path file = lab.log(sandbox, "tools");
    Path aside = file.resolveSibling("aside");
    Files.move(file, aside);
    lab.runtime().reopenLog(id);
    await().atMost(PATIENCE).until(() -> lab.lines(sandbox, "tools").size() > 20);
    lab.runtime().stop(id, Duration.ZERO);
    await().atMost(PATIENCE).until(() -> lab.info(id).exited());
    List<String> said = new ArrayList<>(CriFixture.said(aside));
    said.addAll(lab.lines(sandbox, "tools"));
    assertThat(said)
        .isEqualTo(IntStream.rangeClosed(1, said.size()).mapToObj(i -> "line " + i).toList());
  }

  @Test
  void n58AndN59ImagesComeFromARegistry() throws IOException {
    try (TestImageRegistry registry = new TestImageRegistry(lab.node())) {
      registry.serveAll(directory.resolve("containerd"));
      String name = "registry.test/some/busybox:2";
      assertThat(lab.runtime().image(name)).isEmpty();
      assertThatThrownBy(() -> lab.runtime().pull(name))
          .isInstanceOfSatisfying(
              RuntimeFailure.class, e -> assertThat(e.reason()).isEqualTo("ErrImagePull"))
          .hasMessageContaining("not found");
      registry.put("some/busybox:2", DebianImages.busybox());
      lab.runtime().pull(name);
      assertThat(lab.runtime().image(name)).isPresent();
      registry.asked().clear();
      lab.runtime().pull(name);
      assertThat(registry.asked()).contains("HEAD manifest").doesNotContain("GET blob");
      registry.only("me", "secret");
      assertThatThrownBy(() -> lab.runtime().pull(name)).isInstanceOf(RuntimeFailure.class);
      lab.runtime().pull(name, Optional.of(new RegistryCredentials("me", "secret")));
    }
    assertThatThrownBy(() -> lab.runtime().image("Not A Name"))
        .isInstanceOfSatisfying(
            RuntimeFailure.class, e -> assertThat(e.reason()).isEqualTo("InvalidImageName"));
  }
}
