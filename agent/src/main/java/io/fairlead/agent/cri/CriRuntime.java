package io.fairlead.agent.cri;

import io.fairlead.agent.cgroup.PodCgroups;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.runtime.Attached;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerRuntime;
import io.fairlead.agent.runtime.Credentials;
import io.fairlead.agent.runtime.ExecResult;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.agent.runtime.Usage;
import io.fairlead.client.time.Pacer;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs containers from images in an engine that speaks CRI v1, such as containerd.
///
/// Everything lives in the engine: sandboxes and containers carry labels that say whose they are,
/// so an agent that starts finds them running, and touches none of another node's on the same
/// engine. Closing ends nothing.
///
/// Safe for many threads.
public final class CriRuntime implements ContainerRuntime {
  private static final Logger log = LoggerFactory.getLogger(CriRuntime.class);
  private static final Duration QUICK = Duration.ofSeconds(30);
  private static final Duration SLOW = Duration.ofMinutes(4);
  private static final Duration PULL = Duration.ofMinutes(30);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /// A restart of the engine within this time is no news.
  private static final Duration FORGIVEN = Duration.ofSeconds(30);

  private final CriClient client;
  private final Inventory inventory;
  private final PodCgroups cgroups;
  private final Images images;
  private final String node;
  private final InstantSource clock;
  private final Pacer pacer;
  private final String name;
  private final String version;
  // More at once makes each slower and all no faster.
  private final Semaphore starts =
      new Semaphore(Math.max(2, 2 * Runtime.getRuntime().availableProcessors()));
  private final Map<String, Instant> ends = new ConcurrentHashMap<>();
  private final Set<String> making = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;
  private volatile HostNamespace host = HostNamespace.OWN;

  private CriRuntime(
      CriClient client, String node, PodCgroups cgroups, InstantSource clock, Pacer pacer) {
    this.client = client;
    this.node = node;
    this.cgroups = cgroups;
    this.clock = clock;
    this.pacer = pacer;
    this.images = new Images(client);
    this.inventory = new Inventory(client, node, clock, this::sweep);
    Message told = client.runtime("Version", Message.EMPTY, QUICK);
    this.name = told.text(2);
    this.version = told.text(3);
    inventory.start();
    sweep();
  }

  /// Connects to an engine and takes over what it has of a node.
  ///
  /// @param node whose sandboxes these are
  /// @throws RuntimeFailure when nobody answers, or nobody who speaks CRI v1
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
      if (!making.contains(uid)
          && inventory.sandboxes().stream().noneMatch(one -> isOf(one, uid))) {
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
    @Nullable Instant away = inventory.away();
    if (away == null) {
      return inventory.problem();
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
  public void pull(String reference, Optional<Credentials> who) {
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
    Message request = Message.write().message(1, Requests.sandbox(config, node, cgroup)).build();
    return guard(
        "ContainerCreating",
        () -> {
          String id = limited(() -> client.runtime("RunPodSandbox", request, SLOW)).text(1);
          inventory.refresh();
          return inventory
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
    if (inventory.sandbox(id).filter(one -> one.info().ready()).isPresent()) {
      change("StopPodSandbox", id);
    }
  }

  @Override
  public void removeSandbox(String id) {
    Optional<Sandbox> known = inventory.sandbox(id);
    if (known.isEmpty()) {
      return;
    }
    stopSandbox(id);
    change("RemovePodSandbox", id);
    String uid = known.get().info().podUid();
    if (inventory.sandboxes().stream().noneMatch(one -> isOf(one, uid))) {
      cgroups.remove(uid);
    }
  }

  @Override
  public List<SandboxInfo> sandboxes() {
    return inventory.sandboxes().stream().map(Sandbox::info).toList();
  }

  @Override
  public String create(String sandbox, ContainerConfig config) {
    Sandbox known =
        inventory
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
                  .runtime("CreateContainer", Requests.container(known, config, node), SLOW)
                  .text(1);
          inventory.refresh();
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
          client.runtime("StartContainer", Requests.identity(id), SLOW);
          inventory.refresh();
          return true;
        });
  }

  @Override
  public void stop(String id, Duration grace) {
    if (inventory.container(id).filter(ContainerInfo::running).isEmpty()) {
      return;
    }
    Instant end = clock.instant().plus(grace);
    Instant before = ends.get(id);
    if (before != null && !end.isBefore(before)) {
      return;
    }
    ends.put(id, end);
    Thread.ofVirtual().name("stop " + id).start(() -> stopUntil(id, end));
  }

  /// Asks until the engine has done it: it may be away for a while.
  private void stopUntil(String id, Instant end) {
    while (!closed && inventory.container(id).filter(ContainerInfo::running).isPresent()) {
      Duration left = Duration.between(clock.instant(), end);
      long seconds = Math.max(0, (left.toMillis() + 999) / 1000);
      try {
        client.runtime(
            "StopContainer",
            Message.write().text(1, id).number(2, seconds).build(),
            SLOW.plusSeconds(seconds));
        inventory.refresh();
      } catch (CriException e) {
        if (e.isNotFound()) {
          break;
        }
        log.atInfo().addKeyValue("container", id).addKeyValue("why", e.text()).log("not stopped");
        try {
          pacer.pause(AGAIN);
        } catch (InterruptedException _) {
          Thread.currentThread().interrupt();
          break;
        }
      }
    }
    ends.remove(id, end);
  }

  @Override
  public void remove(String id) {
    if (inventory.container(id).isPresent()) {
      change("RemoveContainer", id);
    }
  }

  /// What is not there any more is fine.
  private void change(String call, String id) {
    guard(
        "ContainerCreating",
        () -> {
          try {
            client.runtime(call, Requests.identity(id), SLOW);
          } catch (CriException e) {
            if (!e.isNotFound()) {
              throw e;
            }
          }
          inventory.refresh();
          return true;
        });
  }

  @Override
  public List<ContainerInfo> containers() {
    return List.copyOf(inventory.containers());
  }

  @Override
  public Map<String, Usage> usage() {
    return guard(
        "ContainerCreating",
        () -> Answers.usage(client.runtime("ListContainerStats", Message.EMPTY, QUICK)));
  }

  @Override
  public void reopenLog(String id) {
    if (inventory.container(id).filter(ContainerInfo::running).isPresent()) {
      change("ReopenContainerLog", id);
    }
  }

  @Override
  public Attached open(String id, List<String> command, boolean input, boolean terminal) {
    return new EngineStreams(client, host).exec(id, command, input, terminal);
  }

  @Override
  public Optional<Attached> attach(String id, boolean input, boolean terminal) {
    return Optional.of(new EngineStreams(client, host).attach(id, input, terminal));
  }

  @Override
  public Socket dial(String sandbox, int port) throws IOException {
    return new EngineStreams(client, host).dial(sandbox, port);
  }

  @Override
  public ExecResult exec(String id, List<String> command, Duration timeout) {
    long seconds = Math.max(1, (timeout.toMillis() + 999) / 1000);
    Message request = Message.write().text(1, id).texts(2, command).number(3, seconds).build();
    try {
      Message answer = client.runtime("ExecSync", request, SLOW.plusSeconds(seconds));
      return new ExecResult((int) answer.number(3), answer.text(1) + answer.text(2), false);
    } catch (CriException e) {
      if (e.isTimeout()) {
        return new ExecResult(-1, "", true);
      }
      throw new RuntimeFailure("RunContainerError", e.text());
    }
  }

  @Override
  public void onChange(Consumer<String> told) {
    inventory.onChange(told);
  }

  /// The identities of all sandboxes, for whoever keeps their addresses.
  public List<String> sandboxIds() {
    return inventory.sandboxes().stream().map(one -> one.info().id()).toList();
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
    closed = true;
    inventory.close();
    client.close();
  }
}
