package io.fairlead.app.node;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.announce.AnnounceMeans;
import io.fairlead.proxy.announce.Announcer;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.conntrack.KernelConntrackTable;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.mode.ControlRequestHandler;
import io.fairlead.proxy.mode.ControlSocket;
import io.fairlead.proxy.mode.ModeChange;
import io.fairlead.proxy.mode.ProxyModes;
import io.fairlead.proxy.nftables.RulesetGeneration;
import io.fairlead.proxy.node.ConntrackSettings;
import io.fairlead.proxy.node.HostAddresses;
import io.fairlead.proxy.node.SysctlFiles;
import io.fairlead.proxy.nodeapi.NodeApi;
import io.fairlead.proxy.nodeapi.NodePodDirectory;
import io.fairlead.proxy.runtime.Proxy;
import io.fairlead.proxy.runtime.ProxyDependencies;
import io.fairlead.proxy.runtime.RestartCheckpoint;
import io.fairlead.proxy.runtime.ServiceInformers;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The service proxy of this machine: chooses the mode, writes its rules, takes away those of other
/// modes, and takes orders. Closing it leaves the rules where they are.
public final class NodeProxy implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeProxy.class);
  private static final Duration GLANCE = Duration.ofMillis(5);

  private final ProxyConfiguration configuration;
  private final ProxyModes modes;
  private final ModeChange change;
  private final Proxy proxy;
  private final ProxyModes.Chosen chosen;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final NodeApi nodeApi;
  private volatile @Nullable ControlSocket orders;
  private volatile NodePodDirectory pods = NodePodDirectory.NONE;
  private volatile Supplier<Optional<ArrayNode>> policyDrops = Optional::empty;

  private NodeProxy(
      ProxyConfiguration configuration,
      Client client,
      InstantSource clock,
      ServiceInformers feed,
      Optional<Path> note,
      AnnounceMeans means,
      SysctlFiles sysctls) {
    this.configuration = configuration;
    this.modes = new ProxyModes(configuration, sysctls);
    this.chosen = modes.choose();
    Map<IpAddress.Family, DataPlane> planes = modes.open(chosen.mode());
    this.change = new ModeChange(configuration, modes, sysctls);
    this.proxy =
        new Proxy(
            configuration,
            new ProxyDependencies(
                client,
                chosen.mode(),
                nodeName(configuration),
                planes,
                new KernelConntrackTable(),
                HostAddresses.now(),
                clock,
                TimingSources.system(),
                () -> afterFirstRules(chosen.mode()),
                // Other modes' rules are not all in nftables: no notification says that they
                // changed.
                note.filter(_ -> chosen.mode() == ProxyMode.NFTABLES)
                    .map(file -> new RestartCheckpoint(file, RulesetGeneration::now)),
                // Without rules of its own it must not draw packets here.
                Optional.of(announcers(configuration, client, clock, means))
                    .filter(_ -> configuration.text(ProxyMode.USERSPACE, "bind").isEmpty())),
            feed);
    log.atInfo().log("Using " + chosen.mode() + " Proxier");
    this.nodeApi =
        new NodeApi(
            new ProxyNodeView(proxy, () -> policyDrops.get()),
            clock,
            Ticker.system(),
            Pacer.system());
    if (!chosen.warning().isEmpty()) {
      log.atWarn().log(chosen.warning());
    }
    if (!chosen.event().isEmpty()) {
      proxy.warn(chosen.event(), chosen.warning());
    }
    if (chosen.mode() == ProxyMode.IPVS) {
      proxy.warn(
          "IPVSDeprecation",
          "kube-proxy gives its ipvs mode up; fairlead keeps it, and the nftables mode is faster");
    }
  }

  private static ProxyDependencies.AnnouncerFactory announcers(
      ProxyConfiguration configuration, Client client, InstantSource clock, AnnounceMeans means) {
    return (metrics, mayAnnounce) ->
        Announcer.ofKernel(
            client,
            nodeName(configuration),
            clock,
            TimingSources.system(),
            metrics,
            means,
            mayAnnounce);
  }

  /// Chooses the mode and makes everything ready; nothing is written yet.
  ///
  /// @param client stays open until after the proxy was closed
  /// @param means its routers are ended with the proxy
  /// @throws DataPlaneException when the mode cannot be had on this machine
  public static NodeProxy open(
      ProxyConfiguration configuration, Client client, InstantSource clock, AnnounceMeans means) {
    ServiceInformers feed = new ServiceInformers(client, TimingSources.system());
    return new NodeProxy(configuration, client, clock, feed, Optional.empty(), means, kernel());
  }

  /// The same when Services may be being read already, and a note is left for the next process.
  ///
  /// @param feed is closed with the proxy
  /// @param note a file in a directory that is there
  public static NodeProxy open(
      ProxyConfiguration configuration,
      Client client,
      InstantSource clock,
      ServiceInformers feed,
      Path note,
      AnnounceMeans means) {
    return new NodeProxy(configuration, client, clock, feed, Optional.of(note), means, kernel());
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

  private static SysctlFiles kernel() {
    return new SysctlFiles(Path.of("/proc/sys"));
  }

  /// Takes orders at a socket from now on; where that cannot be, the proxy does its work without.
  public void takeOrders(Path socket) {
    try {
      ControlRequestHandler handler = new ControlRequestHandler(proxy, change, nodeApi, () -> pods);
      orders = ControlSocket.open(socket, request -> answer(handler, request));
      // Until one of this process makes itself known.
      policyDrops = () -> PolicyDropSocket.ask(socket, proxy.nodeName());
    } catch (IOException | UnsupportedOperationException e) {
      log.atWarn()
          .addKeyValue("why", e.getMessage())
          .log("takes no orders: the command mode will not reach this proxy");
    }
  }

  /// One change of the mode at a time; questions wait for none.
  private ObjectNode answer(ControlRequestHandler handler, ObjectNode request) {
    return ControlRequestHandler.isQuestion(request)
        ? handler.answer(request)
        : changeMode(handler, request);
  }

  private synchronized ObjectNode changeMode(ControlRequestHandler handler, ObjectNode request) {
    ProxyMode before = proxy.mode();
    ObjectNode answer = handler.answer(request);
    sayMode(before);
    return answer;
  }

  private void sayMode(ProxyMode before) {
    if (proxy.mode() != before) {
      log.atInfo().log("Using " + proxy.mode() + " Proxier");
    }
  }

  /// Goes on in the mode that another configuration names. In the same mode it reads the kernel
  /// back and repairs what differs: that is what a restart is for.
  ///
  /// @return the mode, and why it is not the one that was asked for
  /// @throws DataPlaneException when the mode cannot be had; then nothing has changed
  public synchronized String follow(ProxyConfiguration wanted) {
    ProxyModes.Chosen next = new ProxyModes(wanted, kernel()).choose();
    ProxyMode before = proxy.mode();
    ModeChange.Result result = change.change(proxy, next.mode());
    if (proxy.mode() == before) {
      proxy.repair();
    }
    sayMode(before);
    for (String left : result.left()) {
      log.atWarn().addKeyValue("what", left).log("not taken away");
    }
    return said(next);
  }

  /// What it did to its rules, and what others did to them.
  public ChangeRing changes() {
    return proxy.changes();
  }

  /// Whether its rules are in the kernel.
  public boolean isReady() {
    return proxy.isReady();
  }

  /// The node it works for.
  public String nodeName() {
    return proxy.nodeName();
  }

  /// Says in its report that its node API listens, too, with a certificate of that fingerprint.
  void tellNodeApi(String fingerprint) {
    proxy.tellNodeApi(fingerprint);
  }

  /// Answers what is asked about this node.
  public NodeApi nodeApi() {
    return nodeApi;
  }

  /// The pods of this node, from the agent in this process.
  public void knowPods(NodePodDirectory directory) {
    pods = directory;
  }

  /// What NetworkPolicies dropped, from their component in this process.
  public void knowDrops(Supplier<Optional<ArrayNode>> drops) {
    policyDrops = drops;
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
  private void afterFirstRules(ProxyMode mode) {
    if (!configuration.text(ProxyMode.USERSPACE, "bind").isEmpty()) {
      // Without rules of its own it has no business with those of others.
      return;
    }
    change.enter(mode);
    for (ProxyMode other : ProxyMode.values()) {
      if (other != mode) {
        for (String problem : modes.remove(other, mode)) {
          log.atInfo().addKeyValue("why", problem).log("rules of another mode were not looked for");
        }
      }
    }
  }

  /// Whether it calls pods itself in its mode of now, so that they see the node.
  public boolean hidesSource() {
    return proxy.mode() == ProxyMode.USERSPACE;
  }

  /// The mode it starts in, and why that is not the one that was asked for.
  public String startMode() {
    return said(chosen);
  }

  private static String said(ProxyModes.Chosen mode) {
    return mode.mode() + (mode.warning().isEmpty() ? "" : "; " + mode.warning());
  }

  /// The mode traffic is carried in now.
  public String mode() {
    return proxy.mode().toString();
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
    proxy.handOverAddresses();
    try {
      boolean _ = change.standIn(proxy, Pacer.system());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    change.end();
    proxy.close();
  }

  /// Takes away the rules of every mode.
  ///
  /// @return what went wrong; a mode this machine does not have is no trouble
  public static List<String> removeRules(ProxyConfiguration configuration) {
    ProxyModes modes = new ProxyModes(configuration, kernel());
    // First: the rules of the iptables mode are a guard, too.
    return Stream.concat(
            Stream.concat(announced(), ModeChange.cleanUpLoopback(kernel()).stream()),
            Arrays.stream(ProxyMode.values()).flatMap(mode -> modes.remove(mode).stream()))
        .toList();
  }

  private static Stream<String> announced() {
    try {
      Announcer.removeRules();
      return Stream.empty();
    } catch (SystemCallException e) {
      // A kernel without nftables has none of them.
      log.atDebug().addKeyValue("why", e.getMessage()).log("no rules of an announcer looked for");
      return Stream.empty();
    }
  }

  /// The configured name, or the machine's; a wrong one makes every endpoint a remote one.
  private static String nodeName(ProxyConfiguration configuration) {
    String given = configuration.text("hostnameOverride").strip();
    String name = given.isEmpty() ? HostAddresses.hostName() : given;
    return name.toLowerCase(Locale.ROOT);
  }
}
