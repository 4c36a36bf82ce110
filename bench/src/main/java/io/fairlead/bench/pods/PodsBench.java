package io.fairlead.bench.pods;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.bench.endtoend.BenchMachine;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.ObjectNode;

/// How fast pods start, by the built-in runtime and in containerd: from the creation of a pod until
/// a watcher sees it ready, and until the first answer through its Service; one at a time, and a
/// hundred at once; by the built-in runtime also where pods wait for their NetworkPolicies to be in
/// force. Then the agent's memory and its processor time at rest. Goals C5 and PB9.
///
/// As root, on a machine of its own. Arguments: `[--smoke] [--check] [rounds]`.
public final class PodsBench {
  private static final String SERVICE_ADDRESS = "10.96.1.175";
  private static final String SERVICE =
      """
      metadata: {name: bench}
      spec:
        clusterIP: 10.96.1.175
        selector: {app: bench}
        ports: [{port: 80, targetPort: 9376}]
      """;
  private static final String POD =
      """
      metadata: {name: %s, labels: {app: bench}}
      spec:
        nodeName: bench
        terminationGracePeriodSeconds: 1
        containers: [%s]
      """;
  private static final String BUILT_IN = "{name: c, image: fairlead.dev/hostnames}";
  private static final String CONTAINER =
      "{name: c, image: \"%s\", command: [sh, -c, \"trap 'exit 0' TERM; httpd -f -p 9376 & wait\"]}"
          .formatted(NodeProcesses.IMAGE);
  private static final List<Goal> GOALS =
      List.of(
          Goal.atMost("C5", "cri-1", "ready_p50_ms", 300),
          Goal.atMost("C5", "cri-1", "ready_p99_ms", 1500),
          Goal.atMost("N2", "builtin-1", "ready_p50_ms", 30),
          Goal.atMost("N76", "builtin-100", "all_ready_ms", 3000),
          Goal.atMost("PB9", "builtin-policies-1", "ready_p50_over_without_ms", 10));

  private final Report report;
  private final boolean smoke;
  private final Path fairlead;

  private PodsBench(Report report, boolean smoke, Path fairlead) {
    this.report = report;
    this.smoke = smoke;
    this.fairlead = fairlead;
  }

  public static void main(String[] words) throws Exception {
    List<String> arguments = List.of(words);
    if (BenchMachine.client().isEmpty()) {
      System.exit(BenchMachine.run(PodsBench.class, arguments));
    }
    boolean smoke = arguments.contains("--smoke");
    int rounds =
        arguments.stream()
            .filter(word -> !word.startsWith("-"))
            .mapToInt(Integer::parseInt)
            .findFirst()
            .orElse(smoke ? 1 : 3);
    Path fairlead = Path.of(System.getProperty("fairlead.home", ".")).resolve("fairlead");
    Report report = new Report(System.out, smoke ? List.of() : GOALS);
    PodsBench bench = new PodsBench(report, smoke, fairlead.toAbsolutePath());
    for (int round = 1; round <= rounds; round++) {
      double without = smoke ? 0 : bench.run(round, "builtin", false, BUILT_IN);
      double with = bench.run(round, "builtin", true, BUILT_IN);
      report.add(
          round, "fairlead", "builtin-policies-1", "ready_p50_over_without_ms", with - without);
      if (CommandRunner.find("containerd").isPresent() && CommandRunner.find("runc").isPresent()) {
        double _ = bench.run(round, "cri", false, CONTAINER);
      }
    }
    boolean met = report.table("fairlead");
    System.exit(arguments.contains("--check") && !met ? 1 : 0);
  }

  /// @param policies whether they are enforced, and pods wait for theirs
  /// @return the median until a pod alone is ready
  private double run(int round, String runtime, boolean policies, String container)
      throws Exception {
    String name = policies ? runtime + "-policies" : runtime;
    try (NodeProcesses node = new NodeProcesses(fairlead, runtime, policies);
        PodTimes times = new PodTimes(node.client())) {
      Client client = node.client();
      client.create(ResourceType.SERVICES, "default", (ObjectNode) Yaml.parse(SERVICE));
      // The first pods wake everything up.
      one(client, times, container, smoke ? 1 : 3);
      List<double[]> single = one(client, times, container, smoke ? 2 : 20);
      String what = name + "-1";
      double ready = add(round, what, "ready", single, 0);
      add(round, what, "answer", single, 1);
      many(round, name, node, times, container);
      return ready;
    }
  }

  /// @return the median
  private double add(int round, String what, String figure, List<double[]> times, int column) {
    Samples samples = new Samples(times.stream().mapToDouble(time -> time[column]).toArray());
    double median = samples.quantile(0.5);
    report.add(round, "fairlead", what, figure + "_p50_ms", median);
    report.add(round, "fairlead", what, figure + "_p99_ms", samples.quantile(0.99));
    return median;
  }

  /// Pods one after another: milliseconds until ready and until the Service answers.
  private static List<double[]> one(Client client, PodTimes times, String container, int count)
      throws Exception {
    List<double[]> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = "one-" + i;
      long begin = System.nanoTime();
      create(client, name, container);
      double answer = (firstAnswer() - begin) / 1e6;
      all.add(new double[] {(times.ready(name) - begin) / 1e6, answer});
      delete(client, name);
      times.awaitNone();
      untilRefused();
    }
    return all;
  }

  private static void create(Client client, String name, String container) {
    client.create(
        ResourceType.PODS, "default", (ObjectNode) Yaml.parse(POD.formatted(name, container)));
  }

  private static void delete(Client client, String name) {
    client.delete(ResourceType.PODS, new ObjectKey("default", name), DeleteOptions.DEFAULT);
  }

  /// Asks until an endpoint answers. Without an endpoint every attempt is refused at once.
  private static long firstAnswer() throws InterruptedException {
    return first(
        "answered",
        () -> {
          try (Socket socket = connect()) {
            socket
                .getOutputStream()
                .write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() == 'H';
          }
        });
  }

  /// Waits until no endpoint is behind the Service: what is asked before that waits for one who is
  /// gone.
  private static void untilRefused() throws InterruptedException {
    first(
        "refused",
        () -> {
          try (Socket _ = connect()) {
            return false;
          } catch (ConnectException _) {
            return true;
          }
        });
  }

  private static Socket connect() throws IOException {
    Socket socket = new Socket();
    try {
      socket.setSoTimeout(1000);
      socket.connect(new InetSocketAddress(SERVICE_ADDRESS, 80), 1000);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private interface Attempt {
    boolean succeeded() throws IOException;
  }

  /// Tries once a millisecond; the moment of the first success.
  private static long first(String what, Attempt attempt) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
    while (System.nanoTime() < end) {
      try {
        if (attempt.succeeded()) {
          return System.nanoTime();
        }
      } catch (IOException _) {
        // Not yet.
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
    throw new IllegalStateException("the Service never " + what);
  }

  private void many(int round, String runtime, NodeProcesses node, PodTimes times, String container)
      throws Exception {
    int count = smoke ? 3 : 100;
    int rest = smoke ? 0 : 30;
    String what = runtime + "-" + count;
    Client client = node.client();
    long begin = System.nanoTime();
    for (int i = 0; i < count; i++) {
      create(client, "many-" + i, container);
    }
    long answered = firstAnswer();
    double[] ready = new double[count];
    for (int i = 0; i < count; i++) {
      ready[i] = (times.ready("many-" + i) - begin) / 1e6;
    }
    Samples samples = new Samples(ready);
    report.add(round, "fairlead", what, "first_answer_ms", (answered - begin) / 1e6);
    report.add(round, "fairlead", what, "ready_p50_ms", samples.quantile(0.5));
    report.add(round, "fairlead", what, "all_ready_ms", samples.quantile(1));
    TimeUnit.SECONDS.sleep(rest);
    double used = node.processorSeconds();
    TimeUnit.SECONDS.sleep(rest);
    report.add(round, "fairlead", what, "agent_rss_mb", node.residentMegabytes());
    if (rest > 0) {
      double percent = (node.processorSeconds() - used) / rest * 100;
      report.add(round, "fairlead", what, "agent_idle_cpu_percent", percent);
    }
    for (int i = 0; i < count; i++) {
      delete(client, "many-" + i);
    }
    times.awaitNone();
  }
}
