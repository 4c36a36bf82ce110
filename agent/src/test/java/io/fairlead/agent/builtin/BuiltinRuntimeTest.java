package io.fairlead.agent.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.network.PodNetwork;
import io.fairlead.agent.runtime.Attached;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ExecResult;
import io.fairlead.agent.runtime.Resources;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.agent.runtime.Security;
import io.fairlead.api.net.Cidr;
import io.fairlead.client.ObjectKey;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.kernel.process.Tool;
import io.fairlead.kernel.route.Network;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real sandboxes on a node that is a network namespace made for the test.
@Tag("system")
class BuiltinRuntimeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;
  private final String tag = UUID.randomUUID().toString().substring(0, 8);
  private NetworkNamespace node;
  private PodNetwork network;
  private BuiltinRuntime runtime;

  @BeforeEach
  void makeNode() {
    node = NetworkNamespace.create("node-" + tag);
    node.run(
        () -> {
          try (Network inside = Network.open()) {
            inside.setUp(inside.link("lo").orElseThrow().index(), true);
          }
        });
    open("10.244.7.0/24");
  }

  private void open(String range) {
    network =
        new PodNetwork(
            HostNamespace.of(node), directory.resolve("network"), List.of(Cidr.parse(range)));
    network.prepare(List.of(Cidr.parse("10.244.0.0/16")), List.of());
    runtime = new BuiltinRuntime(network, directory.resolve("runtime"), InstantSource.system());
  }

  @AfterEach
  void removeNode() {
    runtime.sandboxes().forEach(sandbox -> runtime.removeSandbox(sandbox.id()));
    runtime.close();
    network.tearDown();
    node.delete();
  }

  private SandboxInfo sandbox(String name) {
    return runtime.runSandbox(
        new SandboxConfig(
            new ObjectKey("default", name),
            tag + "-" + name,
            0,
            false,
            name,
            "nameserver 10.96.0.10\n",
            List.of(),
            30,
            directory));
  }

  private String start(SandboxInfo sandbox, String name, String image, String... command) {
    return start(ContainerConfig.Terminal.NONE, sandbox, name, image, command);
  }

  private String start(
      ContainerConfig.Terminal terminal,
      SandboxInfo sandbox,
      String name,
      String image,
      String... command) {
    Path hosts = directory.resolve("hosts");
    try {
      Files.writeString(hosts, "127.0.0.1\tlocalhost\n10.9.9.9\tspecial.example\n");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    String id =
        runtime.create(
            sandbox.id(),
            new ContainerConfig(
                name,
                0,
                image,
                "h",
                List.of(command),
                List.of(),
                List.of(Map.entry("GREETING", "hello there")),
                "",
                List.of(),
                hosts,
                log(name),
                Resources.NONE,
                Security.NONE,
                terminal));
    runtime.start(id);
    return id;
  }

  private Path log(String name) {
    return directory.resolve("logs").resolve(name).resolve("0.log");
  }

  private ContainerInfo info(String id) {
    return runtime.containers().stream()
        .filter(one -> one.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private String get(String address, String path) {
    return node.call(
        () -> {
          try (Socket socket = new Socket(address, 9376)) {
            socket
                .getOutputStream()
                .write(
                    ("GET " + path + " HTTP/1.0\r\nHost: x\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return all.substring(all.indexOf("\r\n\r\n") + 4).strip();
          }
        });
  }

  @Test
  void n2ThreePodsAnswerTheirNamesAtTheirOwnAddresses() {
    for (String name : List.of("web-0", "web-1", "web-2")) {
      SandboxInfo sandbox = sandbox(name);
      String id = start(sandbox, name, "fairlead.dev/hostnames:1.0");
      assertThat(Cidr.parse("10.244.7.0/24").toString()).isNotEmpty();
      assertThat(sandbox.addresses()).singleElement().asString().startsWith("10.244.7.");
      assertThat(get(sandbox.addresses().getFirst(), "/")).isEqualTo(name);
      assertThat(info(id).imageId()).isEqualTo("fairlead-builtin://hostnames@1");
    }
    assertThat(runtime.sandboxes().stream().map(one -> one.addresses().getFirst()).distinct())
        .hasSize(3);
  }

  @Test
  void podsSeeEachOthersOwnAddress() {
    SandboxInfo server = sandbox("server");
    SandboxInfo client = sandbox("client");
    start(server, "server", "fairlead.dev/hostnames");
    String shell = start(client, "client", "fairlead.dev/pause");
    ExecResult result =
        runtime.exec(
            shell,
            List.of("curl", "-s", "http://" + server.addresses().getFirst() + ":9376/source"),
            PATIENCE);
    assertThat(result.output().strip()).isEqualTo(client.addresses().getFirst());
  }

  @Test
  void echoAnswersTcpAndUdp() {
    String address = sandboxOf("echo", "fairlead.dev/echo");
    String answer =
        node.call(
            () -> {
              try (Socket socket = new Socket(address, 8080);
                  DatagramSocket datagrams = new DatagramSocket()) {
                socket.getOutputStream().write("abc".getBytes(StandardCharsets.US_ASCII));
                socket.shutdownOutput();
                String first =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                datagrams.setSoTimeout((int) PATIENCE.toMillis());
                byte[] sent = "xyz".getBytes(StandardCharsets.US_ASCII);
                datagrams.send(new DatagramPacket(sent, 3, InetAddress.getByName(address), 8080));
                DatagramPacket back = new DatagramPacket(new byte[10], 10);
                datagrams.receive(back);
                return first
                    + new String(back.getData(), 0, back.getLength(), StandardCharsets.US_ASCII);
              }
            });
    assertThat(answer).isEqualTo("abcxyz");
  }

  private String sandboxOf(String name, String image) {
    SandboxInfo sandbox = sandbox(name);
    start(sandbox, name, image);
    return sandbox.addresses().getFirst();
  }

  @Test
  void aShellSeesItsPodAndItsExitCodeIsTold() throws IOException {
    SandboxInfo sandbox = sandbox("tools");
    String id =
        start(
            sandbox,
            "tools",
            "fairlead.dev/shell",
            "sh",
            "-c",
            "hostname; cat /etc/hosts /etc/resolv.conf; echo $GREETING; echo $$;"
                + " touch /left-behind; ip -o -4 addr show eth0 >&2; exit 9");
    await().atMost(PATIENCE).until(() -> info(id).exited());
    assertThat(info(id).exitCode()).isEqualTo(9);
    assertThat(info(id).reason()).isEqualTo("Error");
    assertThat(Path.of("/left-behind")).doesNotExist();
    await().atMost(PATIENCE).until(() -> Files.readString(log("tools")).contains("stderr F"));
    List<String> lines =
        Files.readAllLines(log("tools")).stream()
            .filter(line -> line.contains(" stdout F "))
            .map(line -> line.substring(line.indexOf(" stdout F ") + 10))
            .toList();
    assertThat(lines)
        .contains(
            "tools", "10.9.9.9\tspecial.example", "nameserver 10.96.0.10", "hello there", "1");
    assertThat(Files.readString(log("tools"))).contains(sandbox.addresses().getFirst());
  }

  @Test
  void n61AndN18ExecGivesExitCodesAndTimesOut() {
    SandboxInfo sandbox = sandbox("tools");
    String shell = start(sandbox, "tools", "fairlead.dev/shell");
    await()
        .atMost(PATIENCE)
        .until(() -> runtime.exec(shell, List.of("hostname"), PATIENCE).output().equals("tools\n"));
    assertThat(runtime.exec(shell, List.of("sh", "-c", "exit 7"), PATIENCE).exitCode())
        .isEqualTo(7);
    assertThat(runtime.exec(shell, List.of("sleep", "30"), Duration.ofMillis(200)).timedOut())
        .isTrue();
    String pause = start(sandbox, "other", "fairlead.dev/pause");
    assertThat(runtime.exec(pause, List.of("cat", "/etc/hosts"), PATIENCE).output())
        .contains("special.example");
  }

  @Test
  void visitorsTalkToTheFirstProgram() throws Exception {
    String id =
        start(
            new ContainerConfig.Terminal(true, false, false),
            sandbox("tools"),
            "tools",
            "fairlead.dev/shell",
            "sh",
            "-c",
            "read a; echo got $a; read b; echo and $b >&2; exit 3");
    try (Attached first = runtime.attach(id, true, false).orElseThrow()) {
      first.input().write("one\n".getBytes(StandardCharsets.UTF_8));
      assertThat(first.output().readNBytes(8))
          .asString(StandardCharsets.UTF_8)
          .isEqualTo("got one\n");
      first.input().close();
    }
    assertThat(info(id).running()).as("its input outlives the first visitor").isTrue();
    try (Attached second = runtime.attach(id, true, false).orElseThrow()) {
      second.input().write("two\n".getBytes(StandardCharsets.UTF_8));
      assertThat(second.error().readAllBytes())
          .asString(StandardCharsets.UTF_8)
          .isEqualTo("and two\n");
      assertThat(second.await()).isZero();
    }
    await().atMost(PATIENCE).until(() -> info(id).exited());
    assertThat(info(id).exitCode()).isEqualTo(3);
    assertThat(Files.readString(log("tools"))).contains("stdout F got one", "stderr F and two");
  }

  @Test
  void theInputForOneVisitorEndsWithTheVisitor() throws Exception {
    String id =
        start(
            new ContainerConfig.Terminal(true, true, false),
            sandbox("tools"),
            "tools",
            "fairlead.dev/shell",
            "cat");
    try (Attached only = runtime.attach(id, true, false).orElseThrow()) {
      only.input().write("all".getBytes(StandardCharsets.UTF_8));
      only.input().close();
      assertThat(only.output().readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("all");
    }
    await().atMost(PATIENCE).until(() -> info(id).exited());
    assertThat(info(id).exitCode()).isZero();
  }

  @Test
  void aFirstProgramMayHaveATerminal() throws Exception {
    String id =
        start(
            new ContainerConfig.Terminal(true, true, true),
            sandbox("tools"),
            "tools",
            "fairlead.dev/shell",
            "sh",
            "-c",
            "read a; until stty size | grep -q '33 99'; do sleep 0.1; done;"
                + " echo got $a on $(tty) as $$; exit 4");
    try (Attached visitor = runtime.attach(id, true, true).orElseThrow()) {
      visitor.resize(99, 33);
      visitor.input().write("one\n".getBytes(StandardCharsets.UTF_8));
      assertThat(visitor.output().readAllBytes())
          .asString(StandardCharsets.UTF_8)
          .containsPattern("got one on /dev/pts/[0-9]+ as 1\r\n");
    }
    await().atMost(PATIENCE).until(() -> info(id).exited());
    assertThat(info(id).exitCode()).isEqualTo(4);
    assertThat(Files.readString(log("tools"))).contains("stdout F got one on /dev/pts/");
  }

  @Test
  void n24AndN25StoppingAsksAndThenForces() {
    SandboxInfo sandbox = sandbox("tools");
    String polite =
        start(
            sandbox,
            "polite",
            "fairlead.dev/shell",
            "sh",
            "-c",
            "trap 'exit 5' TERM; echo set; while :; do sleep 0.1; done");
    String deaf = start(sandbox, "deaf", "fairlead.dev/shell", "sleep", "1000");
    await().atMost(PATIENCE).until(() -> Files.readString(log("polite")).contains("set"));
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
  void aRestartFindsSandboxesWithTheirAddresses() {
    SandboxInfo sandbox = sandbox("web");
    String id = start(sandbox, "web", "fairlead.dev/hostnames");
    runtime.close();
    open("10.244.7.0/24");
    assertThat(runtime.sandboxes()).containsExactly(sandbox);
    assertThat(info(id).exited()).isTrue();
    SandboxInfo other = sandbox("other");
    assertThat(other.addresses()).isNotEqualTo(sandbox.addresses());
  }

  @Test
  void n68AFullRangeIsNamedAndFreedAddressesAreUsedAgain() {
    runtime.close();
    open("10.244.8.0/30");
    SandboxInfo only = sandbox("one");
    assertThatThrownBy(() -> sandbox("two"))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessageContaining("no IP addresses available in range set");
    runtime.removeSandbox(only.id());
    assertThat(sandbox("three").addresses()).isEqualTo(only.addresses());
  }

  @Test
  void foreignImagesAreRefused() {
    assertThat(runtime.image("nginx")).isEmpty();
    assertThatThrownBy(() -> runtime.pull("nginx"))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessageContaining("not in the built-in catalogue");
  }

  @Test
  void n77NothingIsLeft() {
    SandboxInfo sandbox = sandbox("web");
    start(sandbox, "web", "fairlead.dev/hostnames");
    assertThat(run("nft", "list", "tables")).contains("fairlead-egress");
    runtime.removeSandbox(sandbox.id());
    network.tearDown();
    assertThat(run("ip", "-o", "link")).doesNotContain("veth").contains("lo");
    assertThat(run("ip", "route", "show", "table", "all")).doesNotContain("10.244");
    assertThat(run("nft", "list", "tables")).isEmpty();
    assertThat(run("sysctl", "-n", "net.ipv4.ip_forward").strip()).isEqualTo("0");
    assertThat(PodNetwork.namespace(sandbox.id()).exists()).isFalse();
  }

  private String run(String... command) {
    return Tool.inside(node, PATIENCE).run("", List.of(command)).output();
  }
}
