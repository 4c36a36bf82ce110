package io.fairlead.e2e.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.e2e.FairleadCli;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Machines on one network: one with the API server, the others nodes, each a network namespace
/// with a cable to a switch, an agent and a containerd of its own. Everything is a process, started
/// as its user would, and can be killed.
final class NodeLab implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(120);

  /// Where nodes find the API server.
  private static final String SERVER = "https://192.168.77.1:6443";

  private final String tag = UUID.randomUUID().toString().substring(0, 8);
  private final Path home;
  private final Path launcher;
  private final NetworkNamespace lan;
  private final Map<String, NetworkNamespace> nodes = new LinkedHashMap<>();
  private final Map<String, Process> processes = new LinkedHashMap<>();

  NodeLab(Path home, List<String> names) throws IOException {
    this.home = home;
    this.launcher = FairleadCli.launcher(home);
    this.lan = NetworkNamespace.create("lan-" + tag);
    shell(
        lan,
        """
        ip link set lo up
        ip link add switch type bridge
        ip link set switch up
        ip addr add 192.168.77.1/24 dev switch
        ip addr add fd77::1/64 dev switch nodad
        """);
    for (String name : names) {
      join(name);
    }
  }

  private void join(String name) {
    NetworkNamespace node = NetworkNamespace.create(name + "-" + tag);
    nodes.put(name, node);
    shell(
        lan,
        """
        ip link add %1$s type veth peer name eth0 netns %2$s
        ip link set %1$s master switch up
        """
            .formatted(name, node.name()));
    shell(
        node,
        """
        ip link set lo up
        ip addr add %1$s/24 dev eth0
        ip addr add %2$s/64 dev eth0 nodad
        ip link set eth0 up
        ip route add default via 192.168.77.1
        """
            .formatted(address(name), address6(name)));
  }

  private int number(String name) {
    return 11 + List.copyOf(nodes.keySet()).indexOf(name);
  }

  String address(String name) {
    return "192.168.77." + number(name);
  }

  private String address6(String name) {
    return "fd77::" + number(name);
  }

  NetworkNamespace node(String name) {
    return Objects.requireNonNull(nodes.get(name));
  }

  Path directory(String name) {
    return home.resolve(name);
  }

  /// Runs a script in a machine's network and returns what it printed.
  static String shell(NetworkNamespace machine, String script) {
    CommandRunner.Result result =
        CommandRunner.inside(machine, PATIENCE).run("set -e\n" + script, List.of("sh"));
    assertThat(result.exit()).as(script + result.error()).isZero();
    return result.output().strip();
  }

  /// The API server with its controllers, on the network and not on loopback; starts it again on
  /// the same data when it was killed.
  ///
  /// @param grace how long a node may be silent, `40s`
  void startServer(String grace) throws IOException {
    Files.deleteIfExists(log("server"));
    start(
        "server",
        lan,
        List.of(
            "up",
            "--foreground",
            "--agent=off",
            "--bind-address=0.0.0.0",
            "--service-cidr=10.96.0.0/16,fd00:96::/112",
            "--cluster-cidr=10.244.0.0/16,fd00:244::/56",
            "--node-monitor-grace-period=" + grace,
            "--data-dir=" + home.resolve("data"),
            "--kubeconfig=" + kubeconfig()));
    awaitWords("server", "Ready in ");
  }

  /// The agent of a node; it is told nothing of its pods' addresses.
  void startAgent(String name, String mode) throws IOException {
    Files.deleteIfExists(log(name));
    start(name, node(name), agent(name, "--route-mode=" + mode));
  }

  private List<String> agent(String name, String more) {
    return List.of(
        "agent",
        "--kubeconfig=" + kubeconfig(),
        "--master=" + SERVER,
        "--hostname-override=" + name,
        "--node-ip=" + address(name) + "," + address6(name),
        "--cluster-cidr=10.244.0.0/16,fd00:244::/56",
        "--root-dir=" + directory(name),
        "--containerd=private",
        "--proxy-control=" + control(name),
        more);
  }

  /// Where the agent of a node asks its proxy.
  private Path control(String name) {
    return home.resolve("proxy-" + name + ".sock");
  }

  /// Until the node has its range of addresses and runs pods.
  void awaitAgent(String name) throws IOException {
    awaitWords(name, "node " + name + ", pods ");
  }

  void startProxy(String name) throws IOException {
    start(
        "proxy-" + name,
        node(name),
        List.of(
            "proxy",
            "--kubeconfig=" + kubeconfig(),
            "--master=" + SERVER,
            "--hostname-override=" + name,
            "--cluster-cidr=10.244.0.0/16,fd00:244::/56",
            "--control=" + control(name),
            "--conntrack-max-per-core=0",
            "--conntrack-min=0",
            "--conntrack-tcp-timeout-established=0s",
            "--conntrack-tcp-timeout-close-wait=0s"));
  }

  private void start(String who, NetworkNamespace where, List<String> words) throws IOException {
    List<String> line =
        new ArrayList<>(List.of("nsenter", "--net=" + where.path(), "--", launcher.toString()));
    line.addAll(words);
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log(who).toFile()));
    builder.environment().put("HOME", home.toString());
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().remove("KUBECONFIG");
    builder.environment().remove("SUDO_UID");
    processes.put(who, builder.start());
  }

  private Process process(String who) {
    return Objects.requireNonNull(processes.get(who));
  }

  private Path log(String who) {
    return home.resolve(who + ".log");
  }

  String said(String who) throws IOException {
    return Files.exists(log(who)) ? Files.readString(log(who), UTF_8) : "";
  }

  private void awaitWords(String who, String words) throws IOException {
    Process process = process(who);
    await(who + ": " + words)
        .atMost(PATIENCE)
        .until(() -> said(who).contains(words) || !process.isAlive());
    assertThat(process.isAlive()).as(said(who)).isTrue();
  }

  /// Ends a process so that it cannot do anything about it. `nsenter` and the launcher have become
  /// the program itself by then.
  void kill(String who) throws InterruptedException {
    process(who).destroyForcibly().waitFor();
  }

  /// Ends a process in an orderly way.
  void stop(String who) throws InterruptedException {
    Process process = Objects.requireNonNull(processes.remove(who));
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }

  /// A node's containerd, if it runs.
  Optional<ProcessHandle> containerd(String name) throws IOException {
    String id = Files.readString(directory(name).resolve("containerd/containerd.pid"));
    return ProcessHandle.of(Long.parseLong(id.strip())).filter(ProcessHandle::isAlive);
  }

  /// Gives a node's containerd an image, as soon as that takes it.
  void importImage(String name, Path archive) {
    Path socket = directory(name).resolve("containerd/containerd.sock");
    List<String> line =
        List.of(
            "ctr", "-a", socket.toString(), "-n", "k8s.io", "images", "import", archive.toString());
    await("containerd of " + name)
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(socket).as(said(name)).exists();
              CommandRunner.Result result = CommandRunner.here(PATIENCE).run("", line);
              assertThat(result.exit()).as(result.error()).isZero();
            });
  }

  private Path kubeconfig() {
    return home.resolve("kubeconfig");
  }

  /// kubectl on the machine of the API server.
  CommandRunner.Result kubectl(String input, String... words) {
    List<String> line =
        new ArrayList<>(List.of("kubectl", "--kubeconfig=" + kubeconfig(), "-n", "default"));
    line.addAll(List.of(words));
    return CommandRunner.inside(lan, PATIENCE).run(input, line);
  }

  /// A command on the machine of the API server, which is no node.
  CommandRunner.Result fairlead(String... words) {
    List<String> line = new ArrayList<>(List.of("env", launcher.toString()));
    line.addAll(List.of(words));
    line.add("--kubeconfig=" + kubeconfig());
    return CommandRunner.inside(lan, PATIENCE).run("", line);
  }

  String get(String what, String path) {
    return kubectl("", "get", what, "-o", "jsonpath=" + path).output();
  }

  /// Pulls the plug.
  void disconnect(String name) {
    shell(lan, "ip link set " + name + " down");
  }

  /// Everything pods of a node could leave behind: in its network, in control groups, mounts and
  /// processes.
  List<String> traces(String name) throws IOException {
    String network =
        shell(
            node(name),
            """
            ip -o link | awk '{print "link", $2}'
            ip -o addr | awk '!/fe80/ {print "address", $2, $3, $4}'
            (ip route; ip -6 route) | awk '!/fe80/ {print "route", $1, $2, $3, $4, $5}'
            (ip neigh; ip -6 neigh) | awk '/PERMANENT/ {print "neighbour", $1, $3}'
            bridge fdb | awk '/ dst / {print "forwarding", $0}'
            cd /proc/sys/net
            grep . ipv4/ip_forward ipv6/conf/all/forwarding ipv4/conf/all/rp_filter \\
              ipv4/conf/default/rp_filter ipv4/conf/all/route_localnet | sed 's/^/setting /'
            # The rules of a proxy are its own to take away.
            nft list tables | grep -v ' fairlead-proxy$' | while read -r _ family name; do
              nft list table $family $name
            done | sed 's/ counter packets [0-9]* bytes [0-9]*//; s/^/rule /'
            """);
    List<String> traces = new ArrayList<>(network.lines().toList());
    Files.readString(Path.of("/proc/self/mounts"))
        .lines()
        .map(line -> line.split(" ")[1])
        .filter(path -> path.startsWith(directory(name).toString()))
        .forEach(path -> traces.add("mount " + path));
    Path addresses = directory(name).resolve("network/fairlead");
    if (Files.exists(addresses)) {
      try (Stream<Path> files = Files.list(addresses)) {
        files
            .map(file -> String.valueOf(file.getFileName()))
            .filter(file -> !file.startsWith("last_reserved") && !file.equals("lock"))
            .forEach(file -> traces.add("taken " + file));
      }
    }
    ProcessHandle.allProcesses()
        .map(handle -> handle.info().commandLine().orElse(""))
        .filter(line -> line.contains("shim") && line.contains(directory(name).toString()))
        .forEach(line -> traces.add("process " + line));
    return traces.stream().sorted().toList();
  }

  /// The control groups of a pod, of whatever kind.
  static String cgroups(String uid) {
    return CommandRunner.here(PATIENCE)
        .run("", List.of("find", "/sys/fs/cgroup", "-type", "d", "-name", "pod" + uid))
        .output()
        .strip();
  }

  /// Removes everything agents left; what is there afterwards is the test's to judge.
  int cleanUp(String name) throws IOException, InterruptedException {
    start("cleanup-" + name, node(name), agent(name, "--cleanup"));
    return process("cleanup-" + name).waitFor();
  }

  @Override
  public void close() {
    processes.values().forEach(Process::destroyForcibly);
    for (Process process : processes.values()) {
      try {
        process.waitFor();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
    nodes.forEach(this::leave);
    lan.delete();
  }

  /// Nothing runs on, also when a test ended early.
  private void leave(String name, NetworkNamespace node) {
    try {
      if (Files.exists(directory(name).resolve("active"))) {
        cleanUp(name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      node.delete();
    }
  }
}
