package io.fairlead.agent;

import io.fairlead.agent.api.NodePods;
import io.fairlead.agent.api.NodeServer;
import io.fairlead.agent.api.NodeServerOptions;
import io.fairlead.agent.builtin.BuiltinRuntime;
import io.fairlead.agent.discovery.ResolvConfFile;
import io.fairlead.agent.discovery.ServiceView;
import io.fairlead.agent.files.NodePodFiles;
import io.fairlead.agent.files.NodePodFilesOptions;
import io.fairlead.agent.lifecycle.ApiPodReporter;
import io.fairlead.agent.lifecycle.ConnectionDrain;
import io.fairlead.agent.lifecycle.PodWorkerDependencies;
import io.fairlead.agent.lifecycle.PodWorkerSettings;
import io.fairlead.agent.lifecycle.PolicyReportWatcher;
import io.fairlead.agent.manifest.ManifestDirectory;
import io.fairlead.agent.manifest.MirrorPodReconciler;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.network.PodNetwork;
import io.fairlead.agent.node.MachineInfo;
import io.fairlead.agent.node.NodeHeartbeat;
import io.fairlead.agent.node.NodeIdentity;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.probe.Prober;
import io.fairlead.agent.routes.NodeRoutes;
import io.fairlead.agent.runtime.ContainerRuntime;
import io.fairlead.agent.stats.ProbeCounter;
import io.fairlead.agent.stats.RuntimeStatsProvider;
import io.fairlead.agent.status.PodStatusGenerator;
import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.work.Pacer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// Keeps the pods of one node running.
///
/// Parts are started in order and closed in reverse order. Closing leaves the pods' sandboxes as
/// they are, so that another agent can go on with them; [#removeAll] leaves nothing of them.
public final class Agent implements AutoCloseable {
  /// Says that there is something outside the directory to undo.
  private static final String MARKER = "active";

  private static final Duration GLANCE = Duration.ofMillis(5);

  private final AgentOptions options;
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final PodNetwork network;
  private final ContainerRuntime runtime;
  private final List<Cidr> ranges;
  private final PodWorkers pods;
  private final Pacer pacer;
  private final ProbeCounter probes = new ProbeCounter();
  private final int port;
  private final String fingerprint;

  private Agent(
      Client client,
      AgentOptions options,
      Optional<NodeServerOptions> server,
      TimingSources pacing,
      InstantSource clock)
      throws InterruptedException {
    this.options = options;
    directories();
    Optional<NodeServer> opened = server.map(wanted -> NodeServer.open(wanted, options.host()));
    this.port = opened.map(NodeServer::port).orElse(0);
    this.fingerprint = server.map(NodeServerOptions::fingerprint).orElse("");
    NodeHeartbeat keeper = new NodeHeartbeat(client, clock, pacing.pacer(), options.directory());
    parts.push(keeper);
    NodeIdentity node = identity();
    this.ranges = keeper.register(node);
    NodeNetworkSetup connections = new NodeNetworkSetup(options, ranges);
    this.network = connections.network();
    connections.open(client, pacing, parts);
    this.pacer = pacing.pacer();
    this.runtime = runtime(clock);
    EventRecorder events = new EventRecorder(client, "kubelet", clock, pacing.ticker());
    this.pods = pods(client, events, keeper, pacing, clock);
    parts.push(pods);
    options.manifests().ifPresent(place -> readManifests(place, events, keeper, clock));
    opened.ifPresent(
        one -> {
          parts.push(one);
          one.start(served(), figures(clock), clock);
        });
    keeper.start(node.with(runtime.version()), runtime::networkProblem);
  }

  private RuntimeStatsProvider figures(InstantSource clock) {
    ObjectNode shown =
        Json.object()
            .put("kind", "KubeletConfiguration")
            .put("apiVersion", "kubelet.config.k8s.io/v1beta1")
            .put("port", port)
            .put("clusterDomain", options.clusterDomain())
            .put("maxPods", options.maxPods())
            .put("resolvConf", options.resolvConf().toString())
            .put("podCIDR", ranges.stream().map(Cidr::toString).collect(Collectors.joining(",")));
    options.clusterDns().forEach(shown.putArray("clusterDNS")::add);
    options.manifests().ifPresent(place -> shown.put("staticPodPath", place.toString()));
    return new RuntimeStatsProvider(options.nodeName(), runtime, pods::all, probes, shown, clock);
  }

  /// When there is none, nothing of this agent goes on.
  private ContainerRuntime runtime(InstantSource clock) throws InterruptedException {
    try {
      return new RuntimeFactory(options.directory(), options.host(), clock, pacer)
          .open(options, network, ranges, parts);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void directories() {
    try {
      Files.createDirectories(options.directory().resolve("network"));
      Files.writeString(options.directory().resolve(MARKER), options.nodeName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Registers the node and begins to run its pods. Returns when the node is registered and has its
  /// range of addresses.
  public static Agent start(Client client, AgentOptions options) throws InterruptedException {
    return start(client, options, Optional.empty());
  }

  /// The same with a server of the node's own.
  public static Agent start(Client client, AgentOptions options, Optional<NodeServerOptions> server)
      throws InterruptedException {
    return new Agent(client, options, server, TimingSources.system(), InstantSource.system());
  }

  private NodeIdentity identity() {
    return new NodeIdentity(
        options.nodeName(),
        options.addresses(),
        options.podRanges(),
        options.labels(),
        "fairlead-builtin://1",
        options.version(),
        options.maxPods(),
        port,
        fingerprint);
  }

  /// Files that ask for pods.
  private void readManifests(
      Path place, EventRecorder events, NodeHeartbeat keeper, InstantSource clock) {
    ManifestDirectory files =
        new ManifestDirectory(
            place,
            options.nodeName(),
            clock,
            pods::want,
            (file, why) ->
                events.record(
                    ObjectEvent.warning(
                        new ObjectRef(
                            ResourceType.NODES,
                            new ObjectKey("", options.nodeName()),
                            keeper.uid()),
                        "InvalidStaticPod",
                        file + ": " + why)));
    parts.push(files);
    files.start();
  }

  private PodWorkers pods(
      Client client,
      EventRecorder events,
      NodeHeartbeat keeper,
      TimingSources pacing,
      InstantSource clock) {
    Informer<ServiceView> services =
        new Informer<>(
            ListWatchFactory.objects(client, ResourceType.SERVICES, "", ""),
            ServiceView::of,
            pacing);
    Informer<Pod> informer =
        new Informer<>(
            ListWatchFactory.objectsByField(
                client, ResourceType.PODS, "", "spec.nodeName=" + options.nodeName()),
            Pod::of,
            pacing);
    MirrorPodReconciler mirrors =
        new MirrorPodReconciler(client, informer, options.nodeName(), keeper::uid);
    PodWorkers[] made = new PodWorkers[1];
    ApiPodReporter reports =
        new ApiPodReporter(
            client,
            events,
            uid -> made[0].poke(uid),
            pod -> pod.isStatic() ? mirrors.uid(pod) : Optional.of(pod.uid()));
    ApiConfigDataReader lookups = new ApiConfigDataReader(client, clock);
    ApiVolumeSourceWatcher sources =
        new ApiVolumeSourceWatcher(client, pacing, uid -> made[0].volumesChanged(uid));
    parts.push(sources);
    NodePodFiles files =
        new NodePodFiles(
            settings(),
            new RefreshingServiceLister(services, client),
            lookups,
            lookups,
            sources,
            reports,
            clock);
    PolicyReportWatcher policies =
        new PolicyReportWatcher(
            client,
            options.nodeName(),
            options.policyWait(),
            pacing,
            clock,
            uid -> made[0].poke(uid));
    parts.push(policies);
    PodWorkerDependencies dependencies =
        new PodWorkerDependencies(
            runtime,
            files,
            reports,
            new VirtualThreadTasks(
                new Prober(options.host(), runtime, "kube-probe/1.36"),
                probes,
                new ConnectionDrain(client, services, clock, pacing.pacer()),
                pacing.pacer()),
            policies,
            new PodStatusGenerator(runtime::shown, options.addresses()),
            clock,
            pacing.random(),
            PodWorkerSettings.DEFAULT);
    made[0] =
        new PodWorkers(
            informer, services, dependencies, files, reports, mirrors, probes, options.maxPods());
    runtime.onChange(made[0]::poke);
    policies.start();
    made[0].start();
    return made[0];
  }

  private NodePodFilesOptions settings() {
    return new NodePodFilesOptions(
        options.nodeName(),
        options.directory(),
        options.addresses(),
        options.clusterDomain(),
        options.clusterDns(),
        ResolvConfFile.parse(text(options.resolvConf())),
        text(Path.of("/etc/hosts")),
        MachineInfo.look(options.maxPods(), options.directory()).capacity());
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }

  /// The pods of this node as its server shows them.
  public NodePods served() {
    return new ServedPods(
        pods, runtime, pacer, options.componentLogs(), options.directory().resolve("pods"));
  }

  /// Where the node's server listens; 0 without one.
  public int port() {
    return port;
  }

  /// Whether pods go on when this program ends: those in an engine do.
  public boolean podsOutlive() {
    return !(runtime instanceof BuiltinRuntime);
  }

  /// Whether it follows the API and pods can be connected.
  public boolean isReady() {
    return pods.hasSynced() && runtime.networkProblem().isEmpty();
  }

  /// Waits until the API has a status by this agent of every pod, but no longer than that. What an
  /// agent before this one has reported may be long out of date.
  public void awaitStatuses(Duration limit) throws InterruptedException {
    for (Duration left = limit; left.isPositive() && !pods.isSettled(); left = left.minus(GLANCE)) {
      pacer.pause(GLANCE);
    }
  }

  /// The ranges of this node's pods.
  public List<Cidr> podRanges() {
    return ranges;
  }

  /// Stops; sandboxes stay. Idempotent.
  @Override
  public void close() {
    for (AutoCloseable part = parts.poll(); part != null; part = parts.poll()) {
      try {
        part.close();
      } catch (Exception e) {
        throw new IllegalStateException("a part of the agent did not stop", e);
      }
    }
  }

  /// Undoes what an agent that is no longer there left on this machine: sandboxes, links, rules,
  /// settings. Pods' files and logs stay.
  ///
  /// @return whether there was anything to undo
  public static boolean removeAll(Path directory, HostNamespace host) {
    Path marker = directory.resolve(MARKER);
    if (!Files.exists(marker)) {
      return false;
    }
    PodNetwork network = new PodNetwork(host, directory.resolve("network"), List.of());
    new RuntimeFactory(directory, host, InstantSource.system(), Pacer.system()).removeAll(network);
    NodeRoutes.tearDown(host);
    network.tearDown();
    NodePodFiles.unmountAll(directory);
    try {
      Files.delete(marker);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return true;
  }
}
