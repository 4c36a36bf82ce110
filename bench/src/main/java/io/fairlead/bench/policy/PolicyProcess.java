package io.fairlead.bench.policy;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.bench.api.Processes;
import io.fairlead.bench.endtoend.ResourceUsage;
import io.fairlead.bench.report.Report;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.client.lease.PolicyReport;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.testing.TransportHttpServer;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead policy` as a process of its own, in a network namespace, with an API in this process:
/// how long from its start until its report says that everything is in the kernel, and the memory
/// it takes then.
final class PolicyProcess {
  private static final ResourceType POLICIES =
      new ResourceType("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int GLANCE_MILLIS = 2;
  private static final double MILLIS = 1e6;

  private final Report report;
  private final Path home;
  private final List<AutoCloseable> open;

  PolicyProcess(Report report, Path home, List<AutoCloseable> open) {
    this.report = report;
    this.home = home;
    this.open = open;
  }

  void run(int rounds, int pods) throws IOException, InterruptedException {
    NetworkNamespace node =
        NetworkNamespace.create("flpp" + ProcessHandle.current().pid() % 100_000);
    open.add(node::delete);
    CommandRunner.Result up =
        CommandRunner.here(Duration.ofMinutes(1))
            .run("", List.of("ip", "-n", node.name(), "link", "set", "lo", "up"));
    if (!up.succeeded()) {
      throw new IllegalStateException(up.error());
    }
    FakeApi api = api();
    Client client = new Client(api);
    open.add(client);
    fill(client, pods);
    TransportHttpServer http =
        node.call(
            () ->
                new TransportHttpServer(
                    api, new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0)));
    open.add(http);
    Path directory = Files.createTempDirectory("fairlead-bench-policy");
    open.add(() -> Processes.delete(directory));
    Files.writeString(directory.resolve("kubeconfig"), http.kubeconfig());
    for (int round = 1; round <= rounds; round++) {
      round(round, client, node, directory, "process-" + pods);
    }
  }

  private static FakeApi api() {
    return new FakeApi(
        List.of(
            ResourceType.PODS,
            ResourceType.NODES,
            ResourceType.LEASES,
            ResourceType.EVENTS,
            POLICIES));
  }

  private static void fill(Client client, int pods) {
    client.create(
        ResourceType.NAMESPACES, "", (ObjectNode) Yaml.parse("metadata: {name: kube-public}"));
    client.create(
        ResourceType.NODES,
        "",
        (ObjectNode)
            Yaml.parse(
                "{metadata: {name: "
                    + SyntheticPolicies.NODE
                    + "}, spec: {podCIDRs: ["
                    + SyntheticPolicies.LOCAL
                    + "]}}"));
    int count = SyntheticPolicies.namespaces(pods);
    for (int i = 0; i < count; i++) {
      SyntheticPolicies.Objects objects = SyntheticPolicies.objects(i, count);
      String namespace = "n" + i;
      client.create(ResourceType.NAMESPACES, "", objects.namespace());
      objects.pods().forEach(pod -> client.create(ResourceType.PODS, namespace, pod));
      objects.policies().forEach(policy -> client.create(POLICIES, namespace, policy));
    }
  }

  private void round(int round, Client client, NetworkNamespace node, Path directory, String what)
      throws IOException, InterruptedException {
    client
        .find(ResourceType.LEASES, PolicyReport.key(SyntheticPolicies.NODE))
        .ifPresent(
            _ ->
                client.delete(
                    ResourceType.LEASES,
                    PolicyReport.key(SyntheticPolicies.NODE),
                    DeleteOptions.DEFAULT));
    long begin = System.nanoTime();
    Process process =
        Processes.start(
            directory.resolve("log-" + round),
            List.of(
                "ip",
                "netns",
                "exec",
                node.name(),
                home.resolve("fairlead").toString(),
                "policy",
                "--kubeconfig=" + directory.resolve("kubeconfig"),
                "--hostname-override=" + SyntheticPolicies.NODE));
    try {
      awaitReport(client, process);
      report.add(
          round, PolicyBench.DATA, what, "in_force_ms", (System.nanoTime() - begin) / MILLIS);
      ResourceUsage usage = ResourceUsage.of(process.pid());
      report.add(round, PolicyBench.DATA, what, "resident_mb", usage.residentMegabytes());
      report.add(round, PolicyBench.DATA, what, "heap_mb", usage.heapMegabytes());
    } finally {
      Processes.stop(List.of(process));
    }
  }

  private static void awaitReport(Client client, Process process) throws InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (client.find(ResourceType.LEASES, PolicyReport.key(SyntheticPolicies.NODE)).isEmpty()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IllegalStateException("the policy component did not report");
      }
      boolean _ = new CountDownLatch(1).await(GLANCE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }
}
