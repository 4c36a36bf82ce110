package io.fairlead.agent;

import io.fairlead.agent.builtin.BuiltinRuntime;
import io.fairlead.agent.discovery.ResolvConf;
import io.fairlead.agent.discovery.ServiceFacts;
import io.fairlead.agent.files.KnownServices;
import io.fairlead.agent.files.NodePodFiles;
import io.fairlead.agent.files.NodeSettings;
import io.fairlead.agent.lifecycle.Settings;
import io.fairlead.agent.lifecycle.Surroundings;
import io.fairlead.agent.network.PodNetwork;
import io.fairlead.agent.node.Machine;
import io.fairlead.agent.node.NodeIdentity;
import io.fairlead.agent.node.NodeKeeper;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.probe.Prober;
import io.fairlead.agent.report.ApiReports;
import io.fairlead.agent.runtime.ContainerRuntime;
import io.fairlead.agent.status.PodStatus;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatches;
import io.fairlead.client.informer.Pacing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Keeps the pods of one node running.
///
/// Parts are started in order and closed in reverse order. Closing leaves the pods' sandboxes as
/// they are, so that another agent can go on with them; [#removeAll] leaves nothing.
public final class Agent implements AutoCloseable {
  /// What a restarted agent is told of a service's version within this time, or not at all.
  private static final long SERVICE_WAIT_MILLIS = 500;

  private final AgentOptions options;
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final PodNetwork network;
  private final ContainerRuntime runtime;
  private final List<Cidr> ranges;

  private Agent(Client client, AgentOptions options, Pacing pacing, InstantSource clock)
      throws InterruptedException {
    this.options = options;
    directories();
    NodeKeeper keeper = new NodeKeeper(client, clock, pacing.pacer(), options.directory());
    parts.push(keeper);
    NodeIdentity node = identity();
    this.ranges = keeper.register(node);
    this.network = new PodNetwork(options.host(), options.directory().resolve("network"), ranges);
    network.prepare(
        options.clusterRanges(),
        options.addresses().stream()
            .map(IpAddress::parseOrNull)
            .filter(Objects::nonNull)
            .map(IpAddress.class::cast)
            .toList());
    this.runtime = new BuiltinRuntime(network, options.directory().resolve("runtime"), clock);
    parts.push(runtime);
    Pods pods = pods(client, pacing, clock);
    parts.push(pods);
    keeper.start(node, runtime::networkProblem);
  }

  private void directories() {
    try {
      Files.createDirectories(options.directory().resolve("network"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Registers the node and begins to run its pods. Returns when the node is registered and has its
  /// range of addresses.
  public static Agent start(Client client, AgentOptions options) throws InterruptedException {
    return start(client, options, Pacing.system(), InstantSource.system());
  }

  static Agent start(Client client, AgentOptions options, Pacing pacing, InstantSource clock)
      throws InterruptedException {
    return new Agent(client, options, pacing, clock);
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
        0);
  }

  private Pods pods(Client client, Pacing pacing, InstantSource clock) {
    Informer<ServiceFacts> services =
        new Informer<>(
            ListWatches.objects(client, ResourceType.SERVICES, "", ""), ServiceFacts::of, pacing);
    Informer<Pod> informer =
        new Informer<>(
            ListWatches.objectsByField(
                client, ResourceType.PODS, "", "spec.nodeName=" + options.nodeName()),
            Pod::of,
            pacing);
    Pods[] pods = new Pods[1];
    ApiReports reports =
        new ApiReports(
            client,
            new EventRecorder(client, "kubelet", clock, pacing.ticker()),
            uid -> pods[0].poke(uid));
    ApiLookups lookups = new ApiLookups(client, clock);
    Surroundings surroundings =
        new Surroundings(
            runtime,
            new NodePodFiles(settings(), known(services), lookups, lookups, reports, clock),
            reports,
            new NodeErrands(new Prober(options.host(), runtime, "kube-probe/1.34"), pacing.pacer()),
            new PodStatus("fairlead-builtin://", options.addresses()),
            clock,
            pacing.random(),
            Settings.DEFAULT);
    pods[0] = new Pods(informer, services, surroundings, reports, options.maxPods());
    runtime.onChange(pods[0]::poke);
    pods[0].start();
    return pods[0];
  }

  private NodeSettings settings() {
    return new NodeSettings(
        options.nodeName(),
        options.directory(),
        options.addresses(),
        options.clusterDomain(),
        options.clusterDns(),
        ResolvConf.parse(text(options.resolvConf())),
        text(Path.of("/etc/hosts")),
        Machine.look(options.maxPods(), options.directory()).capacity());
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }

  private static KnownServices known(Informer<ServiceFacts> services) {
    return new KnownServices() {
      @Override
      public boolean complete() {
        return services.hasSynced();
      }

      @Override
      public void awaitVersion(String resourceVersion) {
        if (resourceVersion.isEmpty()) {
          return;
        }
        try {
          services.reached(resourceVersion).get(SERVICE_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException _) {
          // Better a pod without a variable than no pod.
        } catch (InterruptedException _) {
          Thread.currentThread().interrupt();
        }
      }

      @Override
      public Collection<ServiceFacts> all() {
        return services.list();
      }
    };
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

  /// Takes all sandboxes away and leaves the machine as it was found. After [#close].
  public void removeAll() {
    removeAll(options, ranges);
  }

  /// Undoes what an agent that is no longer there left on this machine.
  ///
  /// @param ranges of its pods' addresses
  public static void removeAll(AgentOptions options, List<Cidr> ranges) {
    Path directory = options.directory();
    if (!Files.exists(directory.resolve("network"))) {
      return;
    }
    PodNetwork network = new PodNetwork(options.host(), directory.resolve("network"), ranges);
    try (BuiltinRuntime left =
        new BuiltinRuntime(network, directory.resolve("runtime"), InstantSource.system())) {
      left.containers().forEach(one -> left.remove(one.id()));
      left.sandboxes().forEach(one -> left.removeSandbox(one.id()));
    }
    network.tearDown();
  }
}
