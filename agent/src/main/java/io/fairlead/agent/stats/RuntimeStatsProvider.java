package io.fairlead.agent.stats;

import io.fairlead.agent.api.NodeStatsProvider;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerRuntime;
import io.fairlead.agent.runtime.ContainerUsage;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.api.json.Json;
import io.fairlead.http.status.LoopMetrics;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// The numbers of one node, taken when they are asked for. Containers of which the runtime knows no
/// numbers, such as workloads inside this program, are left out.
public final class RuntimeStatsProvider implements NodeStatsProvider {
  private static final Logger log = LoggerFactory.getLogger(RuntimeStatsProvider.class);
  private static final Path PROC = Path.of("/proc");

  private final String node;
  private final ContainerRuntime runtime;
  private final Supplier<Collection<Pod>> pods;
  private final ProbeCounter probes;
  private final ObjectNode configuration;
  private final InstantSource clock;
  private final Instant started;

  /// @param configuration how the agent is set up, as it is shown
  public RuntimeStatsProvider(
      String node,
      ContainerRuntime runtime,
      Supplier<Collection<Pod>> pods,
      ProbeCounter probes,
      ObjectNode configuration,
      InstantSource clock) {
    this.node = node;
    this.runtime = runtime;
    this.pods = pods;
    this.probes = probes;
    this.configuration = configuration;
    this.clock = clock;
    this.started = clock.instant();
  }

  @Override
  public String metrics() {
    PrometheusRegistry registry = new PrometheusRegistry();
    registry.register(new LoopMetrics());
    gauge(registry, "kubelet_node_name", "The node's name. The count is always 1.", "node")
        .labelValues(node)
        .set(1);
    gauge(registry, "kubelet_running_pods", "Number of pods that have a running pod sandbox")
        .set(runtime.sandboxes().stream().filter(SandboxInfo::ready).count());
    Gauge containers =
        gauge(
            registry,
            "kubelet_running_containers",
            "Number of containers currently running",
            "container_state");
    for (ContainerInfo one : runtime.containers()) {
      containers.labelValues(one.state().name().toLowerCase(Locale.ROOT)).inc();
    }
    Gauge desired =
        gauge(
            registry,
            "kubelet_desired_pods",
            "The number of pods the kubelet is being instructed to run",
            "static");
    Collection<Pod> all = pods.get();
    long fromFiles = all.stream().filter(Pod::isStatic).count();
    desired.labelValues("").set(all.size() - fromFiles);
    desired.labelValues("true").set(fromFiles);
    gauge(
            registry,
            "process_start_time_seconds",
            "Start time of the process since unix epoch in seconds.")
        .set(started.toEpochMilli() / 1e3);
    return text(registry);
  }

  @Override
  public String probes() {
    return text(probes.registry());
  }

  @Override
  public String resources() {
    Optional<Map<String, ContainerUsage>> asked = usage();
    ResourceMetrics metrics = new ResourceMetrics(NodeUsage.look(PROC), asked.isPresent());
    Map<String, ContainerUsage> used = asked.orElse(Map.of());
    for (Pod pod : pods.get()) {
      for (ContainerInfo run : running(pod)) {
        metrics.started(pod, run);
        ContainerUsage usage = used.get(run.id());
        if (usage != null) {
          metrics.used(pod, run, usage);
        }
      }
    }
    return text(metrics.registry());
  }

  @Override
  public ObjectNode summary() {
    Summary summary =
        new Summary(node, NodeUsage.look(PROC), started, clock.instant(), usage().orElse(Map.of()));
    for (Pod pod : pods.get()) {
      List<ContainerInfo> running = running(pod);
      if (!running.isEmpty()) {
        summary.add(pod, running);
      }
    }
    return summary.document();
  }

  @Override
  public ObjectNode configuration() {
    ObjectNode shown = Json.object();
    shown.set("kubeletconfig", configuration.deepCopy());
    return shown;
  }

  /// What containers use; empty when the runtime does not answer, an engine that is away for
  /// example. The rest is reported all the same.
  private Optional<Map<String, ContainerUsage>> usage() {
    try {
      return Optional.of(runtime.usage());
    } catch (RuntimeFailure e) {
      log.atWarn()
          .addKeyValue("why", e.text())
          .log("the runtime does not report what containers use");
      return Optional.empty();
    }
  }

  private List<ContainerInfo> running(Pod pod) {
    return runtime.containers().stream()
        .filter(one -> one.podUid().equals(pod.uid()) && one.running())
        .toList();
  }

  private static Gauge gauge(
      PrometheusRegistry registry, String name, String help, String... labels) {
    return Gauge.builder().name(name).help(help).labelNames(labels).register(registry);
  }

  private static String text(PrometheusRegistry registry) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(out, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
