package io.fairlead.bench.faults;

import io.fairlead.bench.api.Processes;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Three etcds, each in a network namespace of its own on one bridge, whose processes can be killed
/// and whose links can be cut in each direction. Clients reach them through relays on loopback,
/// which stay whole. Needs root, `etcd`, `ip` and `nft`.
final class EtcdCluster implements AutoCloseable {
  static final int MEMBERS = 3;
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final int ANSWER_MILLIS = 500;

  /// Which packets between a member and the others are lost.
  enum Cut {
    BOTH_WAYS,
    TO_MEMBER,
    FROM_MEMBER
  }

  private final Path directory;
  private final String prefix = "fe" + ProcessHandle.current().pid();
  private final NetworkNamespace hub;
  private final List<NetworkNamespace> namespaces = new ArrayList<>();
  private final List<Process> processes = new ArrayList<>();
  private final List<TcpRelay> relays = new ArrayList<>();

  EtcdCluster() throws IOException {
    Path memory = Path.of("/dev/shm");
    directory =
        Files.isWritable(memory)
            ? Files.createTempDirectory(memory, "fairlead-etcd")
            : Files.createTempDirectory("fairlead-etcd");
    Tasks.atExit("clean-up", this::close);
    hub = NetworkNamespace.create(prefix + "hub");
    run(
        hub,
        "ip link add br0 type bridge && ip addr add 10.99.7.254/24 dev br0 && ip link set br0 up");
    for (int i = 0; i < MEMBERS; i++) {
      NetworkNamespace member = NetworkNamespace.create(prefix + "m" + i);
      namespaces.add(member);
      run(
          hub,
          """
          set -e
          ip link add m%1$d type veth peer name eth0 netns %2$s
          ip link set m%1$d master br0 up
          ip -n %2$s link set lo up
          ip -n %2$s addr add %3$s/24 dev eth0
          ip -n %2$s link set eth0 up
          """
              .formatted(i, member.name(), address(i)));
      InetSocketAddress client = new InetSocketAddress(address(i), 2379);
      relays.add(
          new TcpRelay(
              () ->
                  hub.call(
                      () -> {
                        Socket socket = new Socket();
                        socket.connect(client, ANSWER_MILLIS);
                        return socket;
                      })));
    }
    for (int i = 0; i < MEMBERS; i++) {
      processes.add(launch(i));
    }
  }

  private static String address(int member) {
    return "10.99.7." + (member + 1);
  }

  private static void run(NetworkNamespace where, String script) {
    CommandRunner.Result result = CommandRunner.inside(where, LIMIT).run(script, List.of("sh"));
    if (!result.succeeded()) {
      throw new IllegalStateException("cannot build the cluster: " + result.error());
    }
  }

  private Process launch(int member) throws IOException {
    String client = "http://" + address(member) + ":2379";
    String peer = "http://" + address(member) + ":2380";
    return Processes.start(
        directory.resolve("log" + member),
        List.of(
            "ip",
            "netns",
            "exec",
            namespaces.get(member).name(),
            "etcd",
            "--name=m" + member,
            "--data-dir=" + directory.resolve("m" + member),
            "--listen-client-urls=" + client,
            "--advertise-client-urls=" + client,
            "--listen-peer-urls=" + peer,
            "--initial-advertise-peer-urls=" + peer,
            "--initial-cluster="
                + IntStream.range(0, MEMBERS)
                    .mapToObj(i -> "m" + i + "=http://" + address(i) + ":2380")
                    .collect(Collectors.joining(",")),
            "--snapshot-count=100000",
            "--heartbeat-interval=50",
            "--election-timeout=500",
            "--logger=zap",
            "--log-level=error"));
  }

  /// How a client reaches a member.
  String endpoint(int member) {
    return "http://127.0.0.1:" + relays.get(member).port();
  }

  List<String> endpoints() {
    return IntStream.range(0, MEMBERS).mapToObj(this::endpoint).toList();
  }

  /// The member that says it leads; -1 when none does.
  ///
  /// @param except one that is not asked; -1 for none
  int leader(int except) {
    for (int i = 0; i < MEMBERS; i++) {
      if (i != except && metrics(i).contains("\netcd_server_is_leader 1")) {
        return i;
      }
    }
    return -1;
  }

  boolean isHealthy(int member) {
    return metrics(member).contains("\netcd_server_has_leader 1");
  }

  private String metrics(int member) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(endpoint(member) + "/metrics").toURL().openConnection();
      connection.setConnectTimeout(ANSWER_MILLIS);
      connection.setReadTimeout(ANSWER_MILLIS);
      return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException _) {
      return "";
    }
  }

  void kill(int member) throws InterruptedException {
    processes.get(member).destroyForcibly().waitFor();
  }

  void restart(int member) throws IOException {
    processes.set(member, launch(member));
  }

  /// Loses packets between a member and the other members; its clients still reach it.
  void cut(int member, Cut how) {
    String others =
        IntStream.range(0, MEMBERS)
            .filter(i -> i != member)
            .mapToObj(EtcdCluster::address)
            .collect(Collectors.joining(", "));
    String in =
        how == Cut.FROM_MEMBER ? "" : "add rule ip cut in ip saddr { " + others + " } drop\n";
    String out =
        how == Cut.TO_MEMBER ? "" : "add rule ip cut out ip daddr { " + others + " } drop\n";
    run(
        namespaces.get(member),
        """
        nft -f - <<'RULES'
        add table ip cut
        add chain ip cut in { type filter hook input priority 0; }
        add chain ip cut out { type filter hook output priority 0; }
        %s%sRULES
        """
            .formatted(in, out));
  }

  void mend(int member) {
    run(namespaces.get(member), "nft delete table ip cut");
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
    for (TcpRelay relay : relays) {
      try {
        relay.close();
      } catch (IOException _) {
        // Nothing is left to reach.
        continue;
      }
    }
    namespaces.stream().filter(NetworkNamespace::exists).forEach(NetworkNamespace::delete);
    if (hub.exists()) {
      hub.delete();
    }
    try {
      if (Files.exists(directory)) {
        Processes.delete(directory);
      }
    } catch (IOException e) {
      System.err.println("left behind: " + directory + ": " + e.getMessage());
    }
  }
}
