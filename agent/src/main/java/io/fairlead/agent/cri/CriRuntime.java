package io.fairlead.agent.cri;

import com.google.protobuf.MessageLite;
import io.fairlead.agent.cri.CriProto.CreateContainerResponse;
import io.fairlead.agent.cri.CriProto.ListContainerStatsResponse;
import io.fairlead.agent.cri.CriProto.NoContent;
import io.fairlead.agent.cri.CriProto.RemoveContainerRequest;
import io.fairlead.agent.cri.CriProto.RemovePodSandboxRequest;
import io.fairlead.agent.cri.CriProto.ReopenContainerLogRequest;
import io.fairlead.agent.cri.CriProto.RunPodSandboxRequest;
import io.fairlead.agent.cri.CriProto.RunPodSandboxResponse;
import io.fairlead.agent.cri.CriProto.StartContainerRequest;
import io.fairlead.agent.cri.CriProto.StopPodSandboxRequest;
import io.fairlead.agent.cri.CriProto.VersionResponse;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.runtime.AttachedProcess;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerRuntime;
import io.fairlead.agent.runtime.ContainerUsage;
import io.fairlead.agent.runtime.ExecResult;
import io.fairlead.agent.runtime.LinuxContainerResources;
import io.fairlead.agent.runtime.RegistryCredentials;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.work.Pacer;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs containers from images in an engine that speaks CRI v1, such as containerd.
///
/// Everything lives in the engine: sandboxes and containers carry labels that say whose they are,
/// so an agent that starts finds them running, and touches none of another node's on the same
/// engine. Closing ends nothing.
///
/// Safe for many threads.
public final class CriRuntime implements ContainerRuntime {
  private static final Duration QUICK = Duration.ofSeconds(30);
  private static final Duration SLOW = Duration.ofMinutes(4);
  private static final Duration PULL = Duration.ofMinutes(30);

  /// A restart of the engine within this time is no news.
  private static final Duration FORGIVEN = Duration.ofSeconds(30);

  private final CriClient client;
  private final CriRuntimeCache cache;
  private final PodCgroups cgroups;
  private final CriImageService images;
  private final String node;
  private final InstantSource clock;
  private final ContainerStops stops;
  private final String name;
  private final String version;
  // More at once makes each slower and all no faster.
  private final Semaphore starts =
      new Semaphore(Math.max(2, 2 * Runtime.getRuntime().availableProcessors()));
  private final Set<String> making = ConcurrentHashMap.newKeySet();
  private volatile HostNamespace host = HostNamespace.OWN;

  private CriRuntime(
      CriClient client, String node, PodCgroups cgroups, InstantSource clock, Pacer pacer) {
    this.client = client;
    this.node = node;
    this.cgroups = cgroups;
    this.clock = clock;
    this.images = new CriImageService(client);
    this.cache = new CriRuntimeCache(client, node, clock, this::sweep);
    this.stops = new ContainerStops(client, cache, clock, pacer);
    VersionResponse version =
        client.runtime("Version", NoContent.getDefaultInstance(), VersionResponse.parser(), QUICK);
    this.version = version.getRuntimeVersion();
    this.name = version.getRuntimeName();
    cache.start();
    sweep();
  }

  /// Connects to an engine and takes over what it has of a node.
  ///
  /// @param node whose sandboxes these are
  /// @throws RuntimeFailure when no engine answers, or one that does not speak CRI v1
  public static CriRuntime open(
      Path socket, String node, PodCgroups cgroups, InstantSource clock, Pacer pacer) {
    CriClient client = new CriClient(socket);
    try {
      return new CriRuntime(client, node, cgroups, clock, pacer);
    } catch (CriException e) {
      client.close();
      throw new RuntimeFailure("ContainerCreating", e.text());
    }
  }

  /// The engine runs in that network, and so do its streams.
  public CriRuntime inside(HostNamespace network) {
    host = network;
    return this;
  }

  /// Removes control groups of pods that are no longer here.
  private void sweep() {
    for (String uid : cgroups.made()) {
      // Asked before the list: a sandbox that is ready by now is in it.
      if (!making.contains(uid) && cache.sandboxes().stream().noneMatch(one -> isOf(one, uid))) {
        cgroups.remove(uid);
      }
    }
  }

  private static boolean isOf(Sandbox sandbox, String uid) {
    return sandbox.info().podUid().equals(uid);
  }

  @Override
  public String version() {
    return name + "://" + version;
  }

  @Override
  public String shown(String container) {
    return name + "://" + container;
  }

  @Override
  public Optional<String> networkProblem() {
    @Nullable Instant away = cache.away();
    if (away == null) {
      return cache.problem();
    }
    return clock.instant().isAfter(away.plus(FORGIVEN))
        ? Optional.of("container runtime is down")
        : Optional.empty();
  }

  @Override
  public Optional<String> image(String reference) {
    return guard("ImageInspectError", () -> images.find(reference));
  }

  @Override
  public void pull(String reference) {
    pull(reference, Optional.empty());
  }

  @Override
  public void pull(String reference, Optional<RegistryCredentials> who) {
    guard("ErrImagePull", () -> images.pull(reference, who, PULL));
  }

  @Override
  public SandboxInfo runSandbox(SandboxConfig config) {
    making.add(config.podUid());
    try {
      return make(config);
    } finally {
      making.remove(config.podUid());
    }
  }

  private SandboxInfo make(SandboxConfig config) {
    String cgroup =
        cgroups.make(config.podUid(), config.traits().quality(), config.traits().resources());
    directory(config.traits().logs(), "ContainerCreating");
    RunPodSandboxRequest request = CriRequests.sandbox(config, node, cgroup);
    return guard(
        "ContainerCreating",
        () -> {
          String id =
              limited(
                      () ->
                          client.runtime(
                              "RunPodSandbox", request, RunPodSandboxResponse.parser(), SLOW))
                  .getPodSandboxId();
          cache.refresh();
          return cache
              .sandbox(id)
              .map(Sandbox::info)
              .orElseThrow(
                  () -> new RuntimeFailure("ContainerCreating", "sandbox " + id + " went at once"));
        });
  }

  private <T> T limited(Supplier<T> work) {
    starts.acquireUninterruptibly();
    try {
      return work.get();
    } finally {
      starts.release();
    }
  }

  @Override
  public void stopSandbox(String id) {
    if (cache.sandbox(id).filter(one -> one.info().ready()).isPresent()) {
      change("StopPodSandbox", StopPodSandboxRequest.newBuilder().setPodSandboxId(id).build());
    }
  }

  @Override
  public void removeSandbox(String id) {
    Optional<Sandbox> known = cache.sandbox(id);
    if (known.isEmpty()) {
      return;
    }
    stopSandbox(id);
    change("RemovePodSandbox", RemovePodSandboxRequest.newBuilder().setPodSandboxId(id).build());
    String uid = known.get().info().podUid();
    if (cache.sandboxes().stream().noneMatch(one -> isOf(one, uid))) {
      cgroups.remove(uid);
    }
  }

  @Override
  public List<SandboxInfo> sandboxes() {
    return cache.sandboxes().stream().map(Sandbox::info).toList();
  }

  @Override
  public String create(String sandbox, ContainerConfig config) {
    Sandbox known =
        cache
            .sandbox(sandbox)
            .filter(one -> one.info().ready())
            .orElseThrow(
                () ->
                    new RuntimeFailure(
                        "CreateContainerError", "sandbox " + sandbox + " is not there"));
    directory(config.log().toAbsolutePath().getParent(), "CreateContainerError");
    return guard(
        "CreateContainerError",
        () -> {
          String id =
              client
                  .runtime(
                      "CreateContainer",
                      CriRequests.container(known, config, node),
                      CreateContainerResponse.parser(),
                      SLOW)
                  .getContainerId();
          cache.refresh();
          return id;
        });
  }

  private static void directory(@Nullable Path directory, String reason) {
    if (directory == null) {
      return;
    }
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new RuntimeFailure(reason, "no directory for logs: " + e.getMessage());
    }
  }

  @Override
  public void start(String id) {
    guard(
        "RunContainerError",
        () -> {
          try {
            client.runtime(
                "StartContainer",
                StartContainerRequest.newBuilder().setContainerId(id).build(),
                NoContent.parser(),
                SLOW);
          } finally {
            // Also after a failure, which ends the container.
            cache.refresh();
          }
          return true;
        });
  }

  @Override
  public void stop(String id, Duration grace) {
    stops.stop(id, grace);
  }

  @Override
  public void remove(String id) {
    if (cache.container(id).isPresent()) {
      change("RemoveContainer", RemoveContainerRequest.newBuilder().setContainerId(id).build());
    }
  }

  /// Succeeds when the engine no longer has the object.
  private void change(String call, MessageLite request) {
    guard(
        "ContainerCreating",
        () -> {
          try {
            client.runtime(call, request, NoContent.parser(), SLOW);
          } catch (CriException e) {
            if (!e.isNotFound()) {
              throw e;
            }
          }
          cache.refresh();
          return true;
        });
  }

  @Override
  public List<ContainerInfo> containers() {
    return List.copyOf(cache.containers());
  }

  @Override
  public Map<String, ContainerUsage> usage() {
    return guard(
        "ContainerCreating",
        () ->
            CriResponses.usage(
                client.runtime(
                    "ListContainerStats",
                    NoContent.getDefaultInstance(),
                    ListContainerStatsResponse.parser(),
                    QUICK)));
  }

  @Override
  public void resize(
      String podUid,
      LinuxContainerResources whole,
      Map<String, LinuxContainerResources> containers) {
    cgroups.resize(
        podUid,
        whole,
        () ->
            containers.forEach(
                (id, resources) ->
                    change("UpdateContainerResources", CriRequests.update(id, resources))));
  }

  @Override
  public void reopenLog(String id) {
    if (cache.container(id).filter(ContainerInfo::running).isPresent()) {
      change(
          "ReopenContainerLog", ReopenContainerLogRequest.newBuilder().setContainerId(id).build());
    }
  }

  @Override
  public AttachedProcess open(String id, List<String> command, boolean input, boolean terminal) {
    return new CriStreamingClient(client, host).exec(id, command, input, terminal);
  }

  @Override
  public Optional<AttachedProcess> attach(String id, boolean input, boolean terminal) {
    return Optional.of(new CriStreamingClient(client, host).attach(id, input, terminal));
  }

  @Override
  public Optional<Path> networkNamespace(String sandbox) throws IOException {
    return new CriStreamingClient(client, host).network(sandbox);
  }

  @Override
  public Socket dial(String sandbox, int port) throws IOException {
    return new CriStreamingClient(client, host).dial(sandbox, port);
  }

  @Override
  public ExecResult exec(String id, List<String> command, Duration timeout) {
    return new CriStreamingClient(client, host).execSync(id, command, timeout);
  }

  @Override
  public void onChange(Consumer<String> next) {
    cache.onChange(next);
  }

  /// The identities of all sandboxes: their addresses are in use.
  public List<String> sandboxIds() {
    return cache.sandboxes().stream().map(one -> one.info().id()).toList();
  }

  private static <T> T guard(String reason, Supplier<T> work) {
    try {
      return work.get();
    } catch (CriException e) {
      throw new RuntimeFailure(reason, e.text());
    }
  }

  @Override
  public void close() {
    stops.close();
    cache.close();
    client.close();
  }
}
