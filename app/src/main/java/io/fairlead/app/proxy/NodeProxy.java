package io.fairlead.app.proxy;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.informer.Pacing;
import io.fairlead.client.time.Pacer;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.conntrack.KernelFlowTable;
import io.fairlead.proxy.control.ControlSocket;
import io.fairlead.proxy.control.ModeChange;
import io.fairlead.proxy.control.Orders;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.mode.Modes;
import io.fairlead.proxy.nftables.Watermark;
import io.fairlead.proxy.node.ConntrackSettings;
import io.fairlead.proxy.node.LocalAddresses;
import io.fairlead.proxy.node.Sysctls;
import io.fairlead.proxy.runtime.Proxy;
import io.fairlead.proxy.runtime.ServiceFeed;
import io.fairlead.proxy.runtime.Standing;
import io.fairlead.proxy.runtime.Surroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The service proxy of this machine: chooses the mode, writes its rules, takes away those of other
/// modes, and takes orders. Closing it leaves the rules where they are.
public final class NodeProxy implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeProxy.class);
  private static final Duration GLANCE = Duration.ofMillis(5);

  private final ProxyConfiguration configuration;
  private final Modes modes;
  private final ModeChange change;
  private final Proxy proxy;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile @Nullable ControlSocket orders;

  private NodeProxy(
      ProxyConfiguration configuration,
      Client client,
      InstantSource clock,
      ServiceFeed feed,
      Optional<Path> note,
      Sysctls sysctls) {
    this.configuration = configuration;
    this.modes = new Modes(configuration, sysctls);
    Modes.Chosen chosen = modes.choose();
    Map<IpAddress.Family, DataPlane> planes = modes.open(chosen.mode());
    this.change = new ModeChange(configuration, modes, sysctls);
    this.proxy =
        new Proxy(
            configuration,
            new Surroundings(
                client,
                chosen.mode(),
                nodeName(configuration),
                planes,
                new KernelFlowTable(),
                LocalAddresses.now(),
                clock,
                Pacing.system(),
                () -> afterFirstRules(chosen.mode()),
                // Other modes' rules are not all in nftables: nobody would tell that they changed.
                note.filter(_ -> chosen.mode().equals(Modes.NFTABLES))
                    .map(file -> new Standing(file, Watermark::now))),
            feed);
    if (!chosen.warning().isEmpty()) {
      log.atWarn().log(chosen.warning());
    }
    if (!chosen.event().isEmpty()) {
      proxy.warn(chosen.event(), chosen.warning());
    }
    if (chosen.mode().equals(Modes.IPVS)) {
      proxy.warn(
          "IPVSDeprecation",
          "kube-proxy gives its ipvs mode up; fairlead keeps it, and the nftables mode is faster");
    }
  }

  /// Chooses the mode and makes everything ready; nothing is written yet.
  ///
  /// @param client stays open until after the proxy was closed
  /// @throws DataPlaneException when the mode cannot be had on this machine
  public static NodeProxy open(
      ProxyConfiguration configuration, Client client, InstantSource clock) {
    ServiceFeed feed = new ServiceFeed(client, Pacing.system());
    return new NodeProxy(configuration, client, clock, feed, Optional.empty(), kernel());
  }

  /// The same when Services may be being read already, and a note is left for the next process.
  ///
  /// @param feed is closed with the proxy
  /// @param note a file in a directory that is there
  public static NodeProxy open(
      ProxyConfiguration configuration,
      Client client,
      InstantSource clock,
      ServiceFeed feed,
      Path note) {
    return new NodeProxy(configuration, client, clock, feed, Optional.of(note), kernel());
  }

  /// Sets the size of the kernel's table of connections and how long it remembers them. What the
  /// kernel does not let us set is logged.
  public static void prepareKernel(ProxyConfiguration configuration) {
    List<String> failed =
        ConntrackSettings.apply(
            configuration, kernel(), Runtime.getRuntime().availableProcessors());
    if (!failed.isEmpty()) {
      log.atWarn().addKeyValue("names", failed).log("going on with the kernel's own values");
    }
  }

  private static Sysctls kernel() {
    return new Sysctls(Path.of("/proc/sys"));
  }

  /// Takes orders at a socket from now on; where that cannot be, the proxy does its work without.
  public void takeOrders(Path socket) {
    try {
      orders = ControlSocket.open(socket, new Orders(proxy, change)::answer);
    } catch (IOException | UnsupportedOperationException e) {
      log.atWarn()
          .addKeyValue("why", e.getMessage())
          .log("takes no orders: the command mode will not reach this proxy");
    }
  }

  /// Begins. Waits for the API as long as it takes; then rules for all of it are on their way.
  ///
  /// @throws DataPlaneException when the configuration forbids to go on
  public void start() throws InterruptedException {
    proxy.start();
  }

  /// Waits until the first rules of every family are in the kernel. False when they are not after
  /// that time.
  public boolean awaitRules(Pacer pacer, Duration patience) throws InterruptedException {
    for (Duration left = patience; !proxy.isReady(); left = left.minus(GLANCE)) {
      if (!left.isPositive()) {
        return false;
      }
      pacer.pause(GLANCE);
    }
    return true;
  }

  /// What must not happen before the new rules are there: opening 127.0.0.0/8 for node ports, which
  /// a rule guards, and taking away the other modes' rules, which would still catch packets.
  private void afterFirstRules(String mode) {
    if (!configuration.text(Modes.USERSPACE, "bind").isEmpty()) {
      // Without rules of its own it has no business with those of others.
      return;
    }
    change.enter(mode);
    for (String other : Modes.ALL) {
      if (!other.equals(mode)) {
        for (String problem : modes.remove(other, mode)) {
          log.atInfo().addKeyValue("why", problem).log("rules of another mode were not looked for");
        }
      }
    }
  }

  /// The mode traffic is carried in now.
  public String mode() {
    return proxy.mode();
  }

  /// `nftables, 214 services, 903 endpoints, last sync 18 ms`.
  public String summary() {
    return proxy.summary();
  }

  /// Everything the proxy knows, for people.
  public String dump() {
    return proxy.dump();
  }

  /// Stops. Rules stay; where they lead to this process, others that need none take their place.
  /// Idempotent.
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    ControlSocket open = orders;
    if (open != null) {
      open.close();
    }
    try {
      boolean _ = change.standIn(proxy, Pacer.system());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    proxy.close();
  }

  /// Takes away the rules of every mode.
  ///
  /// @return what went wrong; a mode this machine does not have is no trouble
  public static List<String> removeRules(ProxyConfiguration configuration) {
    Modes modes = new Modes(configuration, kernel());
    return Modes.ALL.stream().flatMap(mode -> modes.remove(mode).stream()).toList();
  }

  /// The configured name, or the machine's; a wrong one makes every endpoint a remote one.
  private static String nodeName(ProxyConfiguration configuration) {
    String given = configuration.text("hostnameOverride").strip();
    String name = given.isEmpty() ? LocalAddresses.hostName() : given;
    return name.toLowerCase(Locale.ROOT);
  }
}
