package io.fairlead.policy.runtime;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.ResourceVersions;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.lease.PolicyReport;
import io.fairlead.kernel.nftables.PacketLogListener;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.policy.core.NetworkPolicy;
import io.fairlead.policy.core.Oracle;
import io.fairlead.policy.core.PlanChange;
import io.fairlead.policy.core.PolicySet;
import io.fairlead.policy.nftables.KernelPolicyTable;
import io.fairlead.policy.nftables.TableSettings;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;

/// The policy component of a node: watches the cluster, keeps both tables equal to their plans,
/// ends connections that are denied now, names what was dropped, and reports how far it is.
///
/// Everything that speaks to the kernel is opened in the network namespace of the thread that makes
/// it. Closing leaves the rules: they hold without the process.
public final class PolicyDaemon implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PolicyDaemon.class);
  private static final int LOGGED_BYTES = 128;
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  private final PolicyOptions options;
  private final BooleanSupplier proxyHidesSource;
  private final InstantSource clock;
  private final Ticker ticker = Ticker.system();
  private final PolicyInformers informers;
  private final PolicyMetrics metrics = new PolicyMetrics();
  private final MachineAddresses addresses;
  // Filled by the constructor, while changed addresses may already wake them.
  private final Map<IpAddress.Family, FamilySync> syncs = new ConcurrentHashMap<>();
  private final Map<IpAddress.Family, ConnectionSweeper> sweepers =
      new EnumMap<>(IpAddress.Family.class);
  private final DropLog drops;
  private final PolicyReporter reporter;
  private final NodeConditionWriter condition;
  private final PolicyEvents events;
  private final PolicyStatusPages pages;
  private final BridgeCheck bridges;
  private final Optional<DropLogWriter> dropWriter;
  private final Optional<StartupTaint> taint;
  private final String bootId;
  private final AtomicBoolean closed = new AtomicBoolean();
  private @Nullable PacketLogListener packets;

  /// @param client stays open until after this was closed
  public PolicyDaemon(PolicyOptions options, Client client, InstantSource clock) {
    this(options, client, clock, options.extras()::proxyHidesSource);
  }

  /// @param proxyHidesSource whether the service proxy calls pods itself now, so that policies see
  ///   the node; its mode may change
  public PolicyDaemon(
      PolicyOptions options, Client client, InstantSource clock, BooleanSupplier proxyHidesSource) {
    this.options = options;
    this.proxyHidesSource = proxyHidesSource;
    this.clock = clock;
    this.informers = new PolicyInformers(client, options.node(), TimingSources.system());
    this.addresses = new MachineAddresses(this::wakeSyncs);
    this.drops = new DropLog(options.node(), this::oracle, this::shownPods, clock, ticker);
    this.reporter = new PolicyReporter(client, this::report);
    this.events = new PolicyEvents(client, informers, options.node(), clock, ticker);
    this.condition =
        new NodeConditionWriter(client, options.node(), clock, this::enforced, events::unavailable);
    this.bridges = new BridgeCheck(this::podRanges, condition::wake);
    this.dropWriter =
        options.extras().dropLog().isEmpty()
            ? Optional.empty()
            : Optional.of(new DropLogWriter(options.extras().dropLog(), drops::newest));
    this.taint =
        options.extras().startupTaint().isEmpty()
            ? Optional.empty()
            : Optional.of(
                new StartupTaint(
                    client, options.node(), options.extras().startupTaint(), this::isReady));
    this.bootId = bootId();
    for (IpAddress.Family family : IpAddress.Family.values()) {
      ConnectionSweeper sweeper =
          new ConnectionSweeper(
              family,
              options.cutConnections(),
              options.cutLabel(),
              this::oracle,
              metrics,
              events::wasCut,
              ticker);
      sweepers.put(family, sweeper);
      TableSettings settings = options.table(List.of());
      syncs.put(
          family,
          new FamilySync(
              family,
              options.node(),
              informers,
              settings,
              addresses::now,
              metrics,
              ticker,
              change -> written(sweeper, change),
              reporter::wake,
              options.extras().gateFirst(),
              events::addressShared));
    }
    this.pages =
        new PolicyStatusPages(
            options,
            syncs,
            metrics,
            this::oracle,
            this::isHealthy,
            this::isReady,
            new PolicyDebugPages(
                options.node(), informers, this::oracle, this::podRanges, drops::newest),
            new DebugAccess(client));
  }

  private static String bootId() {
    try {
      return Files.readString(BOOT_ID).strip();
    } catch (IOException _) {
      return "";
    }
  }

  /// Before the start. The first policy of a cluster then need not wait until the pods of other
  /// nodes are known: for a process that watches them anyway, or is beside the API server.
  public void alwaysFollowAllPods() {
    informers.alwaysFollowAllPods();
  }

  /// Begins. Returns at once; [#awaitReady] waits for the first rules.
  public void start() throws IOException {
    informers.nodes.onChange(ChangeHandler.of(_ -> rangesChanged(), _ -> {}));
    informers.policies.onChange(
        ChangeHandler.of(
            policy -> {
              metrics.policies(informers.policies.list().size());
              events.review(policy);
            },
            policy -> {
              metrics.policies(informers.policies.list().size());
              events.forget(policy);
            }));
    informers.onAllKnown(() -> informers.policies.list().forEach(events::review));
    if (options.logGroup() != 0) {
      listenForDrops();
    }
    pages.start(options);
    informers.start();
    syncs.values().forEach(FamilySync::start);
    sweepers.values().forEach(ConnectionSweeper::start);
    reporter.start();
    condition.start();
    bridges.start();
    dropWriter.ifPresent(DropLogWriter::start);
    taint.ifPresent(StartupTaint::start);
  }

  private void listenForDrops() {
    try {
      packets =
          PacketLogListener.start(
              options.logGroup(), LOGGED_BYTES, drops::add, metrics::lostMessages);
    } catch (SystemCallException e) {
      log.atWarn()
          .addKeyValue("group", options.logGroup())
          .addKeyValue("why", e.getMessage())
          .log("cannot receive denied packets: drops are counted, not named");
    }
  }

  private void rangesChanged() {
    TableSettings settings = options.table(informers.podRanges());
    metrics.gate(!settings.podRanges().isEmpty());
    syncs.values().forEach(sync -> sync.settings(settings));
  }

  private void wakeSyncs() {
    syncs.values().forEach(FamilySync::wake);
  }

  private void written(ConnectionSweeper sweeper, PlanChange change) {
    sweeper.changed(change);
    condition.wake();
  }

  /// Where an address must be a known pod; none without a gate.
  private List<Cidr> podRanges() {
    return options.table(informers.podRanges()).podRanges();
  }

  /// One over the objects as they are now.
  public Oracle oracle() {
    // Before the pods: where there are policies, all pods are known.
    List<NetworkPolicy> policies = informers.policiesInForce();
    return new Oracle(
        new Oracle.Node(options.node(), addresses.now(), podRanges()),
        informers.namespaces.list(),
        informers.pods(),
        policies);
  }

  /// Up to which version the kernel shows pods; empty before it does.
  private String shownPods() {
    PolicyReport now = report();
    return now == null ? "" : now.enforced().getOrDefault("pods", "");
  }

  private @Nullable PolicyReport report() {
    Map<String, String> enforced = new TreeMap<>();
    for (FamilySync sync : syncs.values()) {
      FamilySync.Shown shown = sync.shown();
      if (shown == null || !sync.isHealthy()) {
        return null;
      }
      shown
          .versions()
          .forEach(
              (kind, version) ->
                  enforced.merge(
                      kind,
                      version,
                      (one, other) -> ResourceVersions.compare(one, other) <= 0 ? one : other));
    }
    return PolicyReport.now(options.node(), bootId, hasGate(), enforced, clock.instant());
  }

  private boolean hasGate() {
    return !podRanges().isEmpty();
  }

  private NodeConditionWriter.Condition enforced() {
    if (!isReady()) {
      return new NodeConditionWriter.Condition(
          false, NodeConditionWriter.NOT_SYNCED, "policies are being read");
    }
    if (!isHealthy()) {
      return new NodeConditionWriter.Condition(
          false, "NoTable", "the kernel refuses the rules, see the log of the node");
    }
    Optional<String> bridge = bridges.bypass();
    if (bridge.isPresent()) {
      return new NodeConditionWriter.Condition(
          false, "BridgeBypasses", "pods of one bridge talk past the rules: " + bridge.get());
    }
    if (proxyHidesSource.getAsBoolean()) {
      return new NodeConditionWriter.Condition(
          false,
          "ProxyHidesSource",
          "the userspace proxy calls pods from the node, so a Service hides who calls;"
              + " policies hold for pods that are called by their own addresses");
    }
    return new NodeConditionWriter.Condition(
        true,
        "InForce",
        hasGate()
            ? "policies are in force; new pods are closed until theirs are"
            : "policies are in force; FL169 the node has no pod range, so new pods are open until"
                + " theirs are");
  }

  /// Waits until the first rules of both families are in the kernel; false when they are not after
  /// that time.
  public boolean awaitReady(Duration most) throws InterruptedException {
    long end = ticker.nanos() + most.toNanos();
    for (FamilySync sync : syncs.values()) {
      if (!sync.awaitReady(Duration.ofNanos(Math.max(0, end - ticker.nanos())))) {
        return false;
      }
    }
    return true;
  }

  public boolean isReady() {
    return syncs.values().stream().allMatch(FamilySync::isReady);
  }

  public boolean isHealthy() {
    return syncs.values().stream().allMatch(FamilySync::isHealthy);
  }

  /// `3 policies, 12 pods isolated, gate 10.244.0.0/24`.
  public String summary() {
    int isolated =
        syncs.values().stream()
            .map(FamilySync::shown)
            .mapToInt(shown -> shown == null ? 0 : shown.sizes().getOrDefault(PolicySet.SELVES, 0))
            .max()
            .orElse(0);
    return "%d policies, %d pods isolated, %s"
        .formatted(informers.policies.list().size(), isolated, gate());
  }

  /// `gate 10.244.0.0/24`: where an address is closed until its pod is known.
  public String gate() {
    List<Cidr> ranges = podRanges();
    return ranges.isEmpty()
        ? "no gate"
        : "gate " + String.join(",", ranges.stream().map(Cidr::toString).toList());
  }

  /// The plan's size and the newest drops, for people.
  public String dump() {
    List<String> lines = new ArrayList<>();
    lines.add(summary());
    for (DropLog.Drop drop : drops.newest()) {
      lines.add(
          "%s %s (%d times, last %s)"
              .formatted(drop.reason().code(), drop.reason().text(), drop.count(), drop.last()));
    }
    return String.join("\n", lines);
  }

  /// What was dropped and why, as documents have it, the newest last.
  public ArrayNode drops() {
    ArrayNode list = Json.array();
    drops.newest().forEach(drop -> list.add(DropLogWriter.json(drop, drop.count())));
    return list;
  }

  /// What was dropped and why, the newest last.
  public List<DropReason> recentDrops() {
    return drops.newest().stream().map(DropLog.Drop::reason).toList();
  }

  /// Where metrics and health are served; empty when they are not.
  public Optional<InetSocketAddress> statusAddress() {
    return pages.address();
  }

  /// Takes both tables away, in the network namespace of the calling thread. A running daemon owns
  /// them: it must have ended.
  public static void removeTables() {
    for (IpAddress.Family family : IpAddress.Family.values()) {
      try (KernelPolicyTable table = KernelPolicyTable.open(family, TableSettings.of(List.of()))) {
        table.remove();
      }
    }
  }

  /// Takes the node's report away.
  public static void removeReport(Client client, String node) {
    PolicyReporter.delete(client, node);
  }

  /// Stops; the rules stay. Idempotent.
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    condition.close();
    reporter.close();
    PacketLogListener listener = packets;
    packets = null;
    if (listener != null) {
      listener.close();
    }
    taint.ifPresent(StartupTaint::close);
    dropWriter.ifPresent(DropLogWriter::close);
    bridges.close();
    pages.close();
    sweepers.values().forEach(ConnectionSweeper::close);
    syncs.values().forEach(FamilySync::close);
    informers.close();
    addresses.close();
    events.close();
  }
}
