package io.fairlead.agent.cri;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.cgroup.PodCgroups;
import io.fairlead.agent.containerd.PrivateContainerd;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.network.PodNetwork;
import io.fairlead.agent.runtime.Attached;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.Credentials;
import io.fairlead.agent.runtime.PodTraits;
import io.fairlead.agent.runtime.Resources;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.agent.runtime.Security;
import io.fairlead.agent.testing.DebianImages;
import io.fairlead.api.net.Cidr;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.time.Pacer;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.kernel.process.Tool;
import io.fairlead.kernel.route.Network;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real containers in a containerd of the test's own, on a node that is a network namespace.
@Tag("system")
class CriRuntimeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Cidr RANGE = Cidr.parse("10.244.21.0/24");

  /// Takes 64 MiB in the container's first process: a child's end would be another story.
  private static final String[] GREEDY = {
    "dd", "if=/dev/zero", "of=/dev/null", "bs=64M", "count=1"
  };

  private static final String BUSYBOX = "fairlead.test/busybox:1";

  @TempDir static Path directory;
  private static NetworkNamespace node;
  private static PodNetwork network;
  private static PrivateContainerd containerd;
  private static CriRuntime runtime;

  @BeforeAll
  static void start() throws InterruptedException {
    node = NetworkNamespace.create("cri-" + UUID.randomUUID().toString().substring(0, 8));
    node.run(
        () -> {
          try (Network inside = Network.open()) {
            inside.setUp(inside.link("lo").orElseThrow().index(), true);
          }
        });
    network = new PodNetwork(HostNamespace.of(node), directory.resolve("network"), List.of(RANGE));
    network.prepare(List.of(Cidr.parse("10.244.0.0/16")), List.of());
    containerd =
        new PrivateContainerd(
            directory.resolve("containerd"), HostNamespace.of(node), Pacer.system());
    containerd.start(List.of(RANGE), directory.resolve("network"));
    containerd.importArchive(DebianImages.busybox().archive(BUSYBOX));
    runtime = open();
    await().atMost(PATIENCE).until(() -> runtime.image(BUSYBOX).isPresent());
  }

  private static CriRuntime open() {
    return CriRuntime.open(
            containerd.socket(),
            "node-a",
            PodCgroups.ofMachine(directory.resolve("cgroups")),
            InstantSource.system(),
            Pacer.system())
        .inside(HostNamespace.of(node));
  }

  @AfterEach
  void removePods() {
    for (SandboxInfo sandbox : runtime.sandboxes()) {
      runtime.removeSandbox(sandbox.id());
    }
    assertThat(runtime.containers()).isEmpty();
  }

  @AfterAll
  static void stop() throws Exception {
    try {
      runtime.close();
      containerd.end();
      assertThat(onNode("iptables-save", "-t", "nat")).doesNotContain("CNI-HOSTPORT");
      network.tearDown();
      PodCgroups.ofMachine(directory.resolve("cgroups")).removeParents();
      assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(directory + "/");
    } finally {
      node.delete();
    }
  }

  private static SandboxConfig pod(String name, Resources resources) {
    return pod(name, resources, false, List.of());
  }

  private static SandboxConfig pod(
      String name,
      Resources resources,
      boolean hostNetwork,
      List<SandboxConfig.HostPort> hostPorts) {
    String uid = UUID.randomUUID().toString();
    return new SandboxConfig(
        new ObjectKey("default", name),
        uid,
        0,
        hostNetwork,
        name,
        "search default.svc.cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n",
        hostPorts,
        30,
        directory,
        new PodTraits(
            directory.resolve("logs").resolve(uid),
            List.of(BUSYBOX),
            "",
            "Burstable",
            resources,
            false,
            false,
            false,
            false,
            Map.of()));
  }

  private static SandboxInfo sandbox(String name) {
    return runtime.runSandbox(pod(name, Resources.NONE));
  }

  private static Path log(SandboxInfo sandbox, String name) {
    return directory.resolve("logs").resolve(sandbox.podUid()).resolve(name).resolve("0.log");
  }

  private static ContainerConfig container(
      SandboxInfo sandbox, String name, Resources resources, Security security, String... command) {
    Path hosts = directory.resolve("hosts");
    Path volume = directory.resolve("volume");
    try {
      Files.writeString(hosts, "127.0.0.1\tlocalhost\n10.9.9.9\tspecial.example\n");
      Files.createDirectories(volume);
      Files.writeString(volume.resolve("colour"), "blue\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ContainerConfig(
        name,
        0,
        BUSYBOX,
        "hash",
        List.of(command),
        List.of(),
        List.of(Map.entry("GREETING", "hello there")),
        "/tmp",
        List.of(new ContainerConfig.Mount(volume, "/settings", true)),
        hosts,
        log(sandbox, name),
        resources,
        security,
        ContainerConfig.Terminal.NONE);
  }

  private static String run(SandboxInfo sandbox, String name, String... command) {
    return run(sandbox, container(sandbox, name, Resources.NONE, Security.NONE, command));
  }

  private static String run(SandboxInfo sandbox, ContainerConfig config) {
    String id = runtime.create(sandbox.id(), config);
    runtime.start(id);
    return id;
  }

  private static ContainerInfo info(String id) {
    return runtime.containers().stream()
        .filter(one -> one.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> lines(SandboxInfo sandbox, String name) {
    try {
      return Files.readAllLines(log(sandbox, name)).stream()
          .map(line -> line.replaceFirst("^\\S+ \\S+ [FP] ", ""))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static String onNode(String... command) {
    return Tool.inside(node, PATIENCE).run("", List.of(command)).output();
  }

  @Test
  void n9AContainerSeesItsPodAndItsExitCodeIsTold() {
    SandboxInfo sandbox = sandbox("tools");
    assertThat(sandbox.addresses()).hasSize(1).first().asString().startsWith("10.244.21.");
    String id =
        run(
            sandbox,
            "tools",
            "sh",
            "-c",
            "hostname; pwd; cat /settings/colour; echo $GREETING; cat /etc/hosts /etc/resolv.conf;"
                + " echo $$; touch /settings/x 2>/dev/null || echo read-only; exit 9");
    await().atMost(PATIENCE).until(() -> info(id).exited());
    assertThat(info(id).exitCode()).isEqualTo(9);
    assertThat(info(id).reason()).isEqualTo("Error");
    assertThat(info(id).hash()).isEqualTo("hash");
    assertThat(runtime.shown(id)).isEqualTo("containerd://" + id);
    assertThat(lines(sandbox, "tools"))
        .contains("tools", "/tmp", "blue", "hello there", "1", "read-only")
        .contains("10.9.9.9\tspecial.example", "nameserver 10.96.0.10", "options ndots:5");
  }

  @Test
  void aContainerRunsAsWhoItIsTold() {
    SandboxInfo sandbox = sandbox("who");
    Security nobody =
        new Security(
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
        run(
            sandbox,
            container(
                sandbox,
                "who",
                Resources.NONE,
                nobody,
                "sh",
                "-c",
                "id -u; touch /x 2>/dev/null || echo read-only"));
    await().atMost(PATIENCE).until(() -> info(id).exited());
    assertThat(lines(sandbox, "who")).containsExactly("65534", "read-only");
  }

  @Test
  void n52APodInTheNodesNetworkListensThere() {
    SandboxInfo sandbox = runtime.runSandbox(pod("node", Resources.NONE, true, List.of()));
    assertThat(sandbox.hostNetwork()).isTrue();
    assertThat(sandbox.addresses()).isEmpty();
    run(sandbox, "node", "httpd", "-f", "-p", "127.0.0.1:18081", "-h", "/settings");
    await().atMost(PATIENCE).until(() -> curl("http://127.0.0.1:18081/colour").equals("blue"));
  }

  @Test
  void n53APortOfTheNodeLeadsToThePod() {
    SandboxInfo sandbox =
        runtime.runSandbox(
            pod(
                "web",
                Resources.NONE,
                false,
                List.of(new SandboxConfig.HostPort("", 18080, 80, "TCP"))));
    run(sandbox, "web", "httpd", "-f", "-p", "80", "-h", "/settings");
    await()
        .atMost(PATIENCE)
        .until(() -> curl("http://" + sandbox.addresses().getFirst() + "/colour").equals("blue"));
    assertThat(curl("http://10.244.21.1:18080/colour")).as("the node's address").isEqualTo("blue");
    assertThat(curl("http://127.0.0.1:18080/colour")).as("loopback").isEqualTo("blue");
    runtime.removeSandbox(sandbox.id());
    assertThat(onNode("iptables-save", "-t", "nat")).doesNotContain("18080");
  }

  private static String curl(String url) {
    return onNode("curl", "-s", "--max-time", "20", url).strip();
  }

  @Test
  void n61AndN18ExecGivesExitCodesAndTimesOut() {
    SandboxInfo sandbox = sandbox("tools");
    String id = run(sandbox, "tools", "sleep", "1000");
    assertThat(runtime.exec(id, List.of("hostname"), PATIENCE).output()).isEqualTo("tools\n");
    assertThat(runtime.exec(id, List.of("sh", "-c", "exit 7"), PATIENCE).exitCode()).isEqualTo(7);
    assertThat(runtime.exec(id, List.of("sleep", "100"), Duration.ofSeconds(1)).timedOut())
        .isTrue();
  }

  @Test
  void n61ProgramsAreTalkedTo() throws Exception {
    String id = run(sandbox("tools"), "tools", "sleep", "1000");
    try (Attached program =
        runtime.open(id, List.of("sh", "-c", "cat; echo oh >&2; exit 7"), true, false)) {
      try (OutputStream input = program.input()) {
        input.write("hello".getBytes(UTF_8));
      }
      assertThat(new String(program.output().readAllBytes(), UTF_8)).isEqualTo("hello");
      assertThat(new String(program.error().readAllBytes(), UTF_8)).isEqualTo("oh\n");
      assertThat(program.await()).isEqualTo(7);
    }
    String sized = "until stty size 2>/dev/null | grep -q '33 99'; do sleep 0.1; done; tty";
    try (Attached program = runtime.open(id, List.of("sh", "-c", sized), false, true)) {
      program.resize(99, 33);
      assertThat(new String(program.output().readAllBytes(), UTF_8)).startsWith("/dev/pts/");
      assertThat(program.await()).isZero();
    }
  }

  private static ContainerConfig talkative(
      SandboxInfo sandbox, ContainerConfig.Terminal terminal, String script) {
    ContainerConfig plain =
        container(sandbox, "tools", Resources.NONE, Security.NONE, "sh", "-c", script);
    return new ContainerConfig(
        plain.name(),
        plain.attempt(),
        plain.image(),
        plain.hash(),
        plain.command(),
        plain.arguments(),
        plain.environment(),
        plain.workingDirectory(),
        plain.mounts(),
        plain.hosts(),
        plain.log(),
        plain.resources(),
        plain.security(),
        terminal);
  }

  @Test
  void visitorsTalkToTheFirstProgram() throws Exception {
    SandboxInfo sandbox = sandbox("tools");
    String id =
        run(
            sandbox,
            talkative(
                sandbox,
                new ContainerConfig.Terminal(true, true, false),
                "read a; echo got $a; exit 3"));
    try (Attached visitor = runtime.attach(id, true, false).orElseThrow()) {
      visitor.input().write("one\n".getBytes(UTF_8));
      assertThat(visitor.output().readAllBytes()).asString(UTF_8).isEqualTo("got one\n");
    }
    await().atMost(PATIENCE).until(() -> info(id).exited());
    assertThat(info(id).exitCode()).isEqualTo(3);
  }

  @Test
  void aFirstProgramMayHaveATerminal() throws Exception {
    SandboxInfo sandbox = sandbox("tools");
    String id =
        run(
            sandbox,
            talkative(
                sandbox,
                new ContainerConfig.Terminal(true, true, true),
                "read a; until stty size | grep -q '33 99'; do sleep 0.1; done;"
                    + " echo got $a on $(tty); exit 4"));
    try (Attached visitor = runtime.attach(id, true, true).orElseThrow()) {
      visitor.resize(99, 33);
      visitor.input().write("one\n".getBytes(UTF_8));
      assertThat(visitor.output().readAllBytes())
          .asString(UTF_8)
          .containsPattern("got one on /dev/pts/[0-9]+\r\n");
    }
    await().atMost(PATIENCE).until(() -> info(id).exited());
    assertThat(info(id).exitCode()).isEqualTo(4);
  }

  @Test
  void n62APortThatListensOnLoopbackIsReached() {
    SandboxInfo sandbox = sandbox("tools");
    run(sandbox, "tools", "httpd", "-f", "-p", "127.0.0.1:8080", "-h", "/settings");
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(ConnectException.class)
        .untilAsserted(
            () -> {
              try (Socket socket = runtime.dial(sandbox.id(), 8080)) {
                socket.getOutputStream().write("GET /colour HTTP/1.0\r\n\r\n".getBytes(UTF_8));
                assertThat(socket.getInputStream().readAllBytes())
                    .asString(UTF_8)
                    .endsWith("blue\n");
              }
            });
  }

  @Test
  void n10AContainerThatTakesTooMuchMemoryIsEnded() {
    SandboxInfo sandbox = sandbox("greedy");
    String id =
        run(
            sandbox,
            container(
                sandbox,
                "greedy",
                new Resources(100, 0, 0, 16 << 20, 1000),
                Security.NONE,
                GREEDY));
    await().atMost(PATIENCE).until(() -> info(id).exited());
    assertThat(info(id).exitCode()).isEqualTo(137);
    await().atMost(PATIENCE).until(() -> info(id).reason().equals("OOMKilled"));
  }

  @Test
  void n11TheLimitOfThePodHoldsForAllItsContainers() {
    SandboxInfo sandbox = runtime.runSandbox(pod("greedy", new Resources(0, 0, 0, 32 << 20, 0)));
    String id = run(sandbox, "greedy", GREEDY);
    await().atMost(PATIENCE).until(() -> info(id).exited());
    assertThat(info(id).exitCode()).isEqualTo(137);
    assertThat(runtime.sandboxes()).extracting(SandboxInfo::ready).containsExactly(true);
  }

  @Test
  void n24AndN25StoppingAsksAndThenForces() {
    SandboxInfo sandbox = sandbox("tools");
    String polite =
        run(
            sandbox,
            "polite",
            "sh",
            "-c",
            "trap 'exit 5' TERM; echo set; while :; do sleep 0.1; done");
    String deaf = run(sandbox, "deaf", "sleep", "1000");
    await().atMost(PATIENCE).until(() -> lines(sandbox, "polite").contains("set"));
    runtime.stop(polite, PATIENCE);
    await().atMost(PATIENCE).until(() -> info(polite).exited());
    assertThat(info(polite).exitCode()).isEqualTo(5);
    runtime.stop(deaf, Duration.ofSeconds(1000));
    assertThat(info(deaf).running()).isTrue();
    runtime.stop(deaf, Duration.ZERO);
    await().atMost(PATIENCE).until(() -> info(deaf).exited());
    assertThat(info(deaf).exitCode()).isEqualTo(137);
  }

  @Test
  void n60AProgramThatIsNotThereIsNamed() {
    SandboxInfo sandbox = sandbox("tools");
    String id =
        runtime.create(
            sandbox.id(), container(sandbox, "tools", Resources.NONE, Security.NONE, "/no/such"));
    assertThatThrownBy(() -> runtime.start(id))
        .isInstanceOfSatisfying(
            RuntimeFailure.class, e -> assertThat(e.reason()).isEqualTo("RunContainerError"))
        .hasMessageContaining("/no/such");
  }

  @Test
  void nothingOfAPodIsLeft() throws IOException {
    SandboxInfo sandbox = sandbox("web");
    String id = run(sandbox, "web", "sleep", "1000");
    assertThat(onNode("ip", "-o", "link")).contains("veth");
    assertThat(groups(sandbox.podUid())).isNotEmpty();
    runtime.removeSandbox(sandbox.id());
    assertThat(runtime.sandboxes()).isEmpty();
    assertThat(runtime.containers()).isEmpty();
    assertThat(onNode("ip", "-o", "link")).doesNotContain("veth");
    assertThat(onNode("ip", "route")).doesNotContain("10.244");
    assertThat(directory.resolve("network/fairlead").resolve(sandbox.addresses().getFirst()))
        .doesNotExist();
    await().atMost(PATIENCE).until(() -> groups(sandbox.podUid()).isEmpty());
    assertThat(Files.readString(Path.of("/proc/self/mounts")))
        .doesNotContain(id)
        .doesNotContain(sandbox.id());
  }

  private static List<Path> groups(String uid) {
    try (Stream<Path> trees = Files.list(Path.of("/sys/fs/cgroup"))) {
      return trees
          .map(tree -> tree.resolve("kubepods/burstable/pod" + uid))
          .filter(Files::exists)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void n64ARestartedAgentFindsWhatRuns() {
    SandboxInfo sandbox = sandbox("web");
    String id = run(sandbox, "web", "sleep", "1000");
    ContainerInfo before = info(id);
    runtime.close();
    runtime = open();
    assertThat(runtime.sandboxes()).containsExactly(sandbox);
    assertThat(runtime.containers()).containsExactly(before);
    String other = run(sandbox, "other", "sleep", "1000");
    assertThat(info(other).running()).isTrue();
  }

  @Test
  void anotherNodesPodsAreNotSeen() {
    sandbox("web");
    try (CriRuntime other =
        CriRuntime.open(
            containerd.socket(),
            "node-b",
            PodCgroups.ofMachine(directory.resolve("cgroups-b")),
            InstantSource.system(),
            Pacer.system())) {
      assertThat(other.sandboxes()).isEmpty();
    }
  }

  @Test
  void n65ContainersOutliveTheirEngine() {
    SandboxInfo sandbox = sandbox("web");
    String id = run(sandbox, "web", "sh", "-c", "while :; do sleep 1; done");
    ProcessHandle engine = containerd.process().orElseThrow();
    engine.destroyForcibly();
    await().atMost(PATIENCE).until(() -> !engine.isAlive());
    assertThat(info(id).running()).as("the last list stands").isTrue();
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> runtime.exec(id, List.of("echo", "here"), PATIENCE).exitCode() == 0);
    assertThat(runtime.sandboxes()).extracting(SandboxInfo::id).containsExactly(sandbox.id());
    assertThat(info(id).running()).isTrue();
    runtime.stop(id, Duration.ZERO);
    await().atMost(PATIENCE).until(() -> info(id).exited());
  }

  @Test
  void n58AndN59ImagesComeFromARegistry() throws IOException {
    try (Registry registry = new Registry(node)) {
      Path hosts = Files.createDirectories(directory.resolve("containerd/certs.d/_default"));
      String server = "http://127.0.0.1:" + registry.port();
      Files.writeString(
          hosts.resolve("hosts.toml"),
          "server = \"%s\"\n[host.\"%s\"]\n  capabilities = [\"pull\", \"resolve\"]\n"
              .formatted(server, server));
      String name = "registry.test/some/busybox:2";
      assertThat(runtime.image(name)).isEmpty();
      assertThatThrownBy(() -> runtime.pull(name))
          .isInstanceOfSatisfying(
              RuntimeFailure.class, e -> assertThat(e.reason()).isEqualTo("ErrImagePull"))
          .hasMessageContaining("not found");
      registry.put("some/busybox:2", DebianImages.busybox());
      runtime.pull(name);
      assertThat(runtime.image(name)).isPresent();
      registry.asked().clear();
      runtime.pull(name);
      assertThat(registry.asked()).contains("HEAD manifest").doesNotContain("GET blob");
      registry.only("me", "secret");
      assertThatThrownBy(() -> runtime.pull(name)).isInstanceOf(RuntimeFailure.class);
      runtime.pull(name, Optional.of(new Credentials("me", "secret")));
    }
    assertThatThrownBy(() -> runtime.image("Not A Name"))
        .isInstanceOfSatisfying(
            RuntimeFailure.class, e -> assertThat(e.reason()).isEqualTo("InvalidImageName"));
  }
}
