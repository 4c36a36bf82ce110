package io.fairlead.bench.explain;

import io.fairlead.api.json.Json;
import io.fairlead.bench.api.Processes;
import io.fairlead.bench.endtoend.FairleadUp;
import io.fairlead.bench.report.BenchArguments;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead explain`, as a process of its own, with many pods and Services: one Service whose
/// selector picks them all, one that is a letter off, and all Services at a glance. Each answer is
/// checked.
///
/// Arguments: `[--smoke] [--check] [rounds [pods services]]`; 5 rounds of 10,000 pods and 1,000
/// Services when left out.
public final class ExplainBench {
  private static final String WHO = "fairlead";
  private static final int WRITERS = 16;
  private static final int FAULT = 3;

  /// Fields of `/proc/PID/stat` behind the name, and how long a tick is: proc(5).
  private static final int CHILDREN_USER = 13;

  private static final int CHILDREN_SYSTEM = 14;
  private static final double MILLIS_PER_TICK = 10;
  private static final List<Goal> GOALS =
      List.of(
          Goal.atMost("E1", "explain", "ms", 2000),
          Goal.atMost("E1", "explain-nearly", "ms", 2000),
          Goal.atMost("E2", "explain-all", "ms", 5000));

  private final Report report;
  private final List<String> program;

  private ExplainBench(Report report, Path fairlead) {
    this.report = report;
    this.program = List.of(fairlead.toString());
  }

  public static void main(String[] words) throws Exception {
    BenchArguments call = BenchArguments.of(words);
    List<Integer> sizes = call.sizes();
    int pods = sizes.isEmpty() ? (call.smoke() ? 50 : 10_000) : sizes.get(0);
    int services = sizes.size() < 2 ? (call.smoke() ? 10 : 1_000) : sizes.get(1);
    Path home = Path.of(System.getProperty("fairlead.home", "."));
    ExplainBench bench = new ExplainBench(call.report(GOALS), home.resolve("fairlead"));
    List<String> alone =
        List.of(
            "--agent=off",
            "--proxy=off",
            "--dns=off",
            "--policy=off",
            "--api-port=" + Processes.freePort());
    try (FairleadUp cluster = FairleadUp.up(alone)) {
      fill(cluster.client(), pods, services);
      for (int round = 1; round <= call.rounds(5); round++) {
        bench.round(round, cluster.kubeconfig(), pods);
      }
    }
    call.exit(bench.report.table(WHO));
  }

  private static void fill(Client client, int pods, int services)
      throws InterruptedException, ExecutionException {
    List<ObjectNode> objects = new ArrayList<>();
    for (int i = 0; i < pods; i++) {
      ObjectNode pod = named("Pod", "web-" + i);
      pod.withObject("metadata").putObject("labels").put("app", "web");
      pod.putObject("spec").putArray("containers").addObject().put("name", "c").put("image", "i");
      objects.add(pod);
    }
    for (int i = 0; i < services; i++) {
      objects.add(service("s-" + i, "other-" + i));
    }
    objects.add(service("all", "web"));
    objects.add(service("nearly", "webb"));
    Semaphore writers = new Semaphore(WRITERS);
    try (ExecutorService threads = Tasks.perTask("fill")) {
      List<Future<?>> pending = new ArrayList<>();
      for (ObjectNode object : objects) {
        writers.acquire();
        pending.add(
            threads.submit(
                () -> {
                  try {
                    boolean pod = Json.textOr(object, "", "kind").equals("Pod");
                    client.create(
                        pod ? ResourceType.PODS : ResourceType.SERVICES, "default", object);
                  } finally {
                    writers.release();
                  }
                }));
      }
      for (Future<?> each : pending) {
        each.get();
      }
    }
  }

  private static ObjectNode named(String kind, String name) {
    ObjectNode object = Json.object().put("apiVersion", "v1").put("kind", kind);
    object.putObject("metadata").put("name", name).put("namespace", "default");
    return object;
  }

  private static ObjectNode service(String name, String app) {
    ObjectNode service = named("Service", name);
    ObjectNode spec = service.putObject("spec");
    spec.putObject("selector").put("app", app);
    spec.putArray("ports").addObject().put("port", 80).put("protocol", "TCP");
    return service;
  }

  private void round(int round, Path kubeconfig, int pods)
      throws IOException, InterruptedException {
    String file = "--kubeconfig=" + kubeconfig;
    time(
        round,
        "explain",
        "app=web selects " + pods + " pods",
        "explain",
        "svc/all",
        "--no-probe",
        file);
    time(
        round,
        "explain-nearly",
        "nearest: " + pods + " pods have app=web",
        "explain",
        "svc/nearly",
        "--no-probe",
        file);
    time(round, "explain-all", "default/nearly", "explain", "-A", file);
  }

  private void time(int round, String what, String expected, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(program);
    command.addAll(List.of(words));
    long processor = endedChildren();
    long begin = System.nanoTime();
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("FAIRLEAD_REQUEST_TIMEOUT", "60s");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    double millis = (System.nanoTime() - begin) / 1e6;
    if (exit != FAULT || !said.contains(expected)) {
      throw new IllegalStateException(
          String.join(" ", command) + " ended with " + exit + ": " + said);
    }
    report.add(round, WHO, what, "ms", millis);
    report.add(round, WHO, what, "cpu_ms", (endedChildren() - processor) * MILLIS_PER_TICK);
  }

  /// The processor time, in ticks, of all programs this one has started and seen to their end: it
  /// hardly moves when other work runs on the machine.
  private static long endedChildren() throws IOException {
    String line = Files.readString(Path.of("/proc/self/stat"));
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
    return Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_SYSTEM]);
  }
}
