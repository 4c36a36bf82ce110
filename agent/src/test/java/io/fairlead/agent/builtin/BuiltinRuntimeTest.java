package io.fairlead.agent.builtin;

import static io.fairlead.agent.builtin.BuiltinRuntimeFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.network.PodNetwork;
import io.fairlead.agent.runtime.ExecResult;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.work.LoopFaults;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real sandboxes on a node that is a network namespace made for the test.
@Tag("system")
class BuiltinRuntimeTest {
  @TempDir Path directory;
  private BuiltinRuntimeFixture lab;

  @BeforeEach
  void makeNode() {
    lab = new BuiltinRuntimeFixture(directory);
  }

  @AfterEach
  void removeNode() {
    lab.close();
  }

  @Test
  void n2ThreePodsAnswerTheirNamesAtTheirOwnAddresses() {
    for (String name : List.of("web-0", "web-1", "web-2")) {
      SandboxInfo sandbox = lab.sandbox(name);
      String id = lab.start(sandbox, name, "fairlead.dev/hostnames:1.0");
      assertThat(sandbox.addresses()).singleElement().asString().startsWith("10.244.7.");
      assertThat(lab.get(sandbox.addresses().getFirst(), "/")).isEqualTo(name);
      assertThat(lab.info(id).imageId()).isEqualTo("fairlead-builtin://hostnames@1");
    }
    assertThat(lab.runtime().sandboxes().stream().map(one -> one.addresses().getFirst()).distinct())
        .hasSize(3);
  }

  @Test
  void podsSeeEachOthersOwnAddress() {
    SandboxInfo server = lab.sandbox("server");
    SandboxInfo client = lab.sandbox("client");
    lab.start(server, "server", "fairlead.dev/hostnames");
    String shell = lab.start(client, "client", "fairlead.dev/pause");
    ExecResult result =
        lab.runtime()
            .exec(
                shell,
                List.of("curl", "-s", "http://" + server.addresses().getFirst() + ":9376/source"),
                PATIENCE);
    assertThat(result.output().strip()).isEqualTo(client.addresses().getFirst());
  }

  @Test
  void echoAnswersTcpAndUdp() {
    assertThat(echoed(sandboxOf("echo", "fairlead.dev/echo"))).isEqualTo("abcxyz");
  }

  @Test
  void echoGoesOnAfterAFault() {
    String address = sandboxOf("echo", "fairlead.dev/echo");
    assertThat(LoopFaults.failOnce(EchoServer.TCP_LOOP)).isPositive();
    assertThat(LoopFaults.failOnce(EchoServer.UDP_LOOP)).isPositive();
    // The step that waits now ends first; the next one fails.
    assertThat(echoed(address)).isEqualTo("abcxyz");
    assertThat(echoed(address)).isEqualTo("abcxyz");
  }

  private String echoed(String address) {
    return lab.node()
        .call(
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
  }

  private String sandboxOf(String name, String image) {
    SandboxInfo sandbox = lab.sandbox(name);
    lab.start(sandbox, name, image);
    return sandbox.addresses().getFirst();
  }

  @Test
  void aShellSeesItsPodAndItsExitCodeIsTold() throws IOException {
    SandboxInfo sandbox = lab.sandbox("tools");
    String id =
        lab.start(
            sandbox,
            "tools",
            "fairlead.dev/shell",
            "sh",
            "-c",
            "hostname; cat /etc/hosts /etc/resolv.conf; echo $GREETING; echo $$;"
                + " touch /left-behind; ip -o -4 addr show eth0 >&2; exit 9");
    await().atMost(PATIENCE).until(() -> lab.info(id).exited());
    assertThat(lab.info(id).exitCode()).isEqualTo(9);
    assertThat(lab.info(id).reason()).isEqualTo("Error");
    assertThat(Path.of("/left-behind")).doesNotExist();
    await().atMost(PATIENCE).until(() -> Files.readString(lab.log("tools")).contains("stderr F"));
    List<String> lines =
        Files.readAllLines(lab.log("tools")).stream()
            .filter(line -> line.contains(" stdout F "))
            .map(line -> line.substring(line.indexOf(" stdout F ") + 10))
            .toList();
    assertThat(lines)
        .contains(
            "tools", "10.9.9.9\tspecial.example", "nameserver 10.96.0.10", "hello there", "1");
    assertThat(Files.readString(lab.log("tools"))).contains(sandbox.addresses().getFirst());
  }

  @Test
  void n61AndN18ExecGivesExitCodesAndTimesOut() {
    SandboxInfo sandbox = lab.sandbox("tools");
    String shell = lab.start(sandbox, "tools", "fairlead.dev/shell");
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                lab.runtime()
                    .exec(shell, List.of("hostname"), PATIENCE)
                    .output()
                    .equals("tools\n"));
    assertThat(lab.runtime().exec(shell, List.of("sh", "-c", "exit 7"), PATIENCE).exitCode())
        .isEqualTo(7);
    assertThat(lab.runtime().exec(shell, List.of("sleep", "30"), Duration.ofMillis(200)).timedOut())
        .isTrue();
    String pause = lab.start(sandbox, "other", "fairlead.dev/pause");
    assertThat(lab.runtime().exec(pause, List.of("cat", "/etc/hosts"), PATIENCE).output())
        .contains("special.example");
  }

  @Test
  void n24AndN25StoppingAsksAndThenForces() {
    SandboxInfo sandbox = lab.sandbox("tools");
    String polite =
        lab.start(
            sandbox,
            "polite",
            "fairlead.dev/shell",
            "sh",
            "-c",
            "trap 'exit 5' TERM; echo set; while :; do sleep 0.1; done");
    String deaf = lab.start(sandbox, "deaf", "fairlead.dev/shell", "sleep", "1000");
    await().atMost(PATIENCE).until(() -> Files.readString(lab.log("polite")).contains("set"));
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
  void n63ALogThatIsPutAsideGoesOnInANewFile() throws IOException {
    String count = "i=0; while :; do i=$((i+1)); echo line $i; sleep 0.01; done";
    String id = lab.start(lab.sandbox("tools"), "tools", "fairlead.dev/shell", "sh", "-c", count);
    Path file = lab.log("tools");
    await().atMost(PATIENCE).until(() -> Files.readAllLines(file).size() > 20);
    Path aside = file.resolveSibling("aside");
    Files.move(file, aside);
    lab.runtime().reopenLog(id);
    await().atMost(PATIENCE).until(() -> Files.readAllLines(file).size() > 20);
    lab.runtime().stop(id, Duration.ZERO);
    await().atMost(PATIENCE).until(() -> lab.info(id).exited());
    List<String> said =
        Stream.concat(Files.readAllLines(aside).stream(), Files.readAllLines(file).stream())
            .map(line -> line.replaceFirst("^\\S+ stdout F ", ""))
            .toList();
    assertThat(said)
        .isEqualTo(IntStream.rangeClosed(1, said.size()).mapToObj(i -> "line " + i).toList());
  }

  @Test
  void aRestartFindsSandboxesWithTheirAddresses() {
    SandboxInfo sandbox = lab.sandbox("web");
    String id = lab.start(sandbox, "web", "fairlead.dev/hostnames");
    lab.runtime().close();
    lab.open("10.244.7.0/24");
    assertThat(lab.runtime().sandboxes()).containsExactly(sandbox);
    assertThat(lab.info(id).exited()).isTrue();
    SandboxInfo other = lab.sandbox("other");
    assertThat(other.addresses()).isNotEqualTo(sandbox.addresses());
  }

  @Test
  void aRestartInAnotherMountNamespaceFindsNoSandboxBehindTheName() throws IOException {
    SandboxInfo sandbox = lab.sandbox("web");
    lab.start(sandbox, "web", "fairlead.dev/hostnames");
    lab.runtime().close();
    // As such a program sees it: the file, without the namespace that is mounted on it elsewhere.
    PodNetwork.namespace(sandbox.id()).delete();
    Files.createFile(PodNetwork.namespace(sandbox.id()).path());
    lab.open("10.244.7.0/24");
    assertThat(lab.runtime().sandboxes())
        .singleElement()
        .matches(found -> !found.ready(), "is not ready");
    assertThat(PodNetwork.namespace(sandbox.id()).exists()).isFalse();
    assertThat(lab.run("ip", "-o", "link", "show", "type", "veth")).isEmpty();
  }

  @Test
  void n68AFullRangeIsNamedAndFreedAddressesAreUsedAgain() {
    lab.runtime().close();
    lab.open("10.244.8.0/30");
    SandboxInfo only = lab.sandbox("one");
    assertThatThrownBy(() -> lab.sandbox("two"))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessageContaining("no IP addresses available in range set");
    lab.runtime().removeSandbox(only.id());
    assertThat(lab.sandbox("three").addresses()).isEqualTo(only.addresses());
  }

  @Test
  void foreignImagesAreRefused() {
    assertThat(lab.runtime().image("nginx")).isEmpty();
    assertThatThrownBy(() -> lab.runtime().pull("nginx"))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessageContaining("not in the built-in catalogue");
  }

  @Test
  void n77NothingIsLeft() {
    SandboxInfo sandbox = lab.sandbox("web");
    lab.start(sandbox, "web", "fairlead.dev/hostnames");
    assertThat(lab.run("nft", "list", "tables")).contains("fairlead-egress");
    lab.runtime().removeSandbox(sandbox.id());
    lab.network().tearDown();
    assertThat(lab.run("ip", "-o", "link")).doesNotContain("veth").contains("lo");
    assertThat(lab.run("ip", "route", "show", "table", "all")).doesNotContain("10.244");
    assertThat(lab.run("nft", "list", "tables")).isEmpty();
    assertThat(lab.run("sysctl", "-n", "net.ipv4.ip_forward").strip()).isEqualTo("0");
    assertThat(PodNetwork.namespace(sandbox.id()).exists()).isFalse();
  }
}
