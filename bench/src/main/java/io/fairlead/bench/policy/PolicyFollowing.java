package io.fairlead.bench.policy;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.bench.testbed.NetworkTestbed;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.policy.runtime.PolicyDaemon;
import io.fairlead.policy.runtime.PolicyOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// From a policy's write to the API until the first connection passes, or no more: the whole
/// component in this process, with an API in memory. Then again among many tracked connections of
/// the pod, all of which are looked at after each policy that narrows something.
final class PolicyFollowing {
  private static final ResourceType POLICIES =
      new ResourceType("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true);
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final ObjectKey ALLOW = new ObjectKey("n0", "allow");
  private static final double MILLIS = 1e6;
  private static final int WARM_UP = 20;
  private static final int IN_A_ROW = 5;
  private static final long PACE_NANOS = 50_000;
  private static final long PATIENCE_NANOS = 5_000_000;

  private final Report report;
  private final List<AutoCloseable> open;

  PolicyFollowing(Report report, List<AutoCloseable> open) {
    this.report = report;
    this.open = open;
  }

  /// @param crowd how many tracked connections
  void run(int times, int crowd) throws InterruptedException {
    NetworkTestbed site = new NetworkTestbed("flp" + ProcessHandle.current().pid() % 100_000 + "f");
    open.add(site);
    Client client =
        new Client(
            new FakeApi(
                List.of(
                    ResourceType.PODS,
                    ResourceType.NAMESPACES,
                    ResourceType.NODES,
                    ResourceType.LEASES,
                    ResourceType.EVENTS,
                    POLICIES)));
    open.add(client);
    for (String name : List.of("n0", "kube-public")) {
      client.create(ResourceType.NAMESPACES, "", yaml("{metadata: {name: " + name + "}}"));
    }
    client.create(
        ResourceType.NODES, "", yaml("{metadata: {name: here}, spec: {podCIDRs: [10.64.1.0/24]}}"));
    client.create(
        ResourceType.PODS,
        "n0",
        yaml(
            "{metadata: {name: server, namespace: n0, uid: u}, spec: {nodeName: here, containers:"
                + " []}, status: {phase: Running, podIPs: [{ip: "
                + NetworkTestbed.PODS.getFirst()
                + "}]}}"));
    policy(client, "deny", "{podSelector: {}}");
    PolicyDaemon daemon =
        site.node()
            .call(
                () -> {
                  PolicyDaemon made =
                      new PolicyDaemon(
                          PolicyOptions.of(SyntheticPolicies.NODE)
                              .withStatus(new InetSocketAddress("127.0.0.1", 0)),
                          client,
                          InstantSource.system());
                  made.start();
                  return made;
                });
    open.add(daemon);
    if (!daemon.awaitReady(LIMIT)) {
      throw new IllegalStateException("no rules within " + LIMIT);
    }
    double alone = follow(site, client, "follow", WARM_UP, times);
    TrackedCrowd tracked = new TrackedCrowd(site);
    policy(client, "crowd", TrackedCrowd.ALLOWED);
    tracked.fill(crowd);
    double before = tracked.sweeps(daemon);
    double seconds = tracked.sweptSeconds(daemon);
    double among = follow(site, client, "follow-" + crowd, 0, times);
    report.add(1, PolicyBench.DATA, "follow-" + crowd, "p99_over_alone", among / alone);
    double sweeps = tracked.awaitMoreSweeps(daemon, before) - before;
    double mean = (tracked.sweptSeconds(daemon) - seconds) / sweeps * 1000;
    report.add(1, PolicyBench.DATA, "sweep-" + crowd, "mean_ms", mean);
  }

  /// @return the 99th percentile
  private double follow(NetworkTestbed site, Client client, String what, int warmUp, int times) {
    double[] took = new double[2 * times];
    for (int i = -warmUp; i < times; i++) {
      long start = System.nanoTime();
      policy(
          client, "allow", "{podSelector: {}, ingress: [{ports: [{protocol: UDP, port: 8080}]}]}");
      double allowed = site.client().call(PolicyFollowing::firstAnswer) - start;
      start = System.nanoTime();
      client.delete(POLICIES, ALLOW, DeleteOptions.DEFAULT);
      double denied = site.client().call(PolicyFollowing::firstSilence) - start;
      if (i >= 0) {
        took[2 * i] = allowed / MILLIS;
        took[2 * i + 1] = denied / MILLIS;
      }
    }
    Samples samples = new Samples(took);
    report.add(1, PolicyBench.DATA, what, "p50_ms", samples.quantile(0.5));
    report.add(1, PolicyBench.DATA, what, "p99_ms", samples.quantile(0.99));
    return samples.quantile(0.99);
  }

  private static InetSocketAddress server() {
    return new InetSocketAddress(
        NetworkTestbed.PODS.getFirst().toString(), NetworkTestbed.POD_PORT);
  }

  /// Calls every few microseconds.
  ///
  /// @return when the first answer came
  private static long firstAnswer() throws IOException {
    try (DatagramChannel channel = DatagramChannel.open()) {
      channel.configureBlocking(false);
      ByteBuffer answer = ByteBuffer.allocate(1);
      long end = System.nanoTime() + LIMIT.toNanos();
      while (System.nanoTime() < end) {
        channel.send(ByteBuffer.allocate(1), server());
        long next = System.nanoTime() + PACE_NANOS;
        while (System.nanoTime() < next) {
          if (channel.receive(answer) != null) {
            return System.nanoTime();
          }
        }
      }
    }
    throw new IllegalStateException("no answer within " + LIMIT);
  }

  /// Calls from a new port each time, as new connections.
  ///
  /// @return when the first of five calls in a row was sent that had no answer
  private static long firstSilence() throws IOException {
    ByteBuffer answer = ByteBuffer.allocate(1);
    long first = 0;
    long end = System.nanoTime() + LIMIT.toNanos();
    for (int row = 0; row < IN_A_ROW; ) {
      try (DatagramChannel channel = DatagramChannel.open()) {
        channel.configureBlocking(false);
        long sent = System.nanoTime();
        channel.send(ByteBuffer.allocate(1), server());
        boolean answered = false;
        while (!answered && System.nanoTime() < sent + PATIENCE_NANOS) {
          answer.clear();
          answered = channel.receive(answer) != null;
        }
        first = row == 0 ? sent : first;
        row = answered ? 0 : row + 1;
      }
      if (System.nanoTime() > end) {
        throw new IllegalStateException("still answered after " + LIMIT);
      }
    }
    return first;
  }

  private static ObjectNode yaml(String text) {
    return (ObjectNode) Yaml.parse(text);
  }

  private static void policy(Client client, String name, String spec) {
    ObjectNode policy = Json.object();
    policy.putObject("metadata").put("namespace", "n0").put("name", name);
    policy.set("spec", Yaml.parse(spec));
    client.create(POLICIES, "n0", policy);
  }
}
