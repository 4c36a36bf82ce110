package io.fairlead.bench.policy;

import io.fairlead.bench.testbed.NetworkTestbed;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.policy.runtime.PolicyDaemon;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Very many tracked connections of one pod, and how long the component takes to look at them.
final class TrackedCrowd {
  /// The policy that allows them.
  static final String ALLOWED =
      "{podSelector: {}, ingress: [{ports: [{protocol: UDP, port: 9090, endPort: 9091}]}]}";

  private static final int FIRST_PORT = 9090;
  private static final int TARGETS = 2;
  private static final int FIRST_SOURCE = 10_000;
  private static final int GLANCE_MILLIS = 50;
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final String METRIC = "fairlead_policy_sweep_duration_seconds_";

  private final NetworkTestbed site;

  TrackedCrowd(NetworkTestbed site) {
    this.site = site;
  }

  /// Sends until that many are tracked, and makes them stay.
  void fill(int count) {
    node("sysctl -q -w net.netfilter.nf_conntrack_udp_timeout=3600");
    long end = System.nanoTime() + LIMIT.toNanos();
    // What is sent before the policy is in force is not tracked: it is sent again.
    while (tracked() < count) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(tracked() + " connections are tracked, not " + count);
      }
      site.client().run(() -> send(count));
    }
  }

  private static void send(int count) {
    try {
      InetAddress pod = InetAddress.getByAddress(NetworkTestbed.PODS.getFirst().toBytes());
      for (int i = 0; i < count / TARGETS; i++) {
        try (DatagramChannel channel = DatagramChannel.open()) {
          channel.bind(new InetSocketAddress(FIRST_SOURCE + i));
          for (int target = 0; target < TARGETS; target++) {
            channel.send(ByteBuffer.allocate(1), new InetSocketAddress(pod, FIRST_PORT + target));
          }
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private int tracked() {
    return Integer.parseInt(node("cat /proc/sys/net/netfilter/nf_conntrack_count").strip());
  }

  private String node(String command) {
    CommandRunner.Result result =
        CommandRunner.inside(site.node(), LIMIT).run("", List.of("sh", "-c", command));
    if (!result.succeeded()) {
      throw new IllegalStateException(command + ": " + result.error());
    }
    return result.output();
  }

  /// How many passes over all connections there were.
  double sweeps(PolicyDaemon daemon) {
    return metric(daemon, METRIC + "count");
  }

  /// They run beside the changes, at most one a second.
  ///
  /// @return how many there were when one more has ended
  double awaitMoreSweeps(PolicyDaemon daemon, double before) throws InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    double now = sweeps(daemon);
    while (now <= before) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("no pass over the connections within " + LIMIT);
      }
      TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
      now = sweeps(daemon);
    }
    return now;
  }

  /// How long they took together.
  double sweptSeconds(PolicyDaemon daemon) {
    return metric(daemon, METRIC + "sum");
  }

  private double metric(PolicyDaemon daemon, String name) {
    int port = daemon.statusAddress().orElseThrow().getPort();
    String text = node("curl -sf http://127.0.0.1:" + port + "/metrics");
    return text.lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.split(" ")[1]))
        .findFirst()
        .orElse(0);
  }
}
