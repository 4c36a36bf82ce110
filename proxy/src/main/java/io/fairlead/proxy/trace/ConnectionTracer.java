package io.fairlead.proxy.trace;

import io.fairlead.kernel.conntrack.Conntrack;
import io.fairlead.kernel.conntrack.ConntrackEntry;
import io.fairlead.kernel.conntrack.ConntrackTuple;
import io.fairlead.kernel.ipvs.IpvsConnection;
import io.fairlead.kernel.nftables.ListedRule;
import io.fairlead.kernel.nftables.NftEvent;
import io.fairlead.kernel.nftables.NftMonitor;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.PacketHeaders;
import io.fairlead.kernel.nftables.TracedPacket;
import io.fairlead.kernel.route.Link;
import io.fairlead.kernel.route.RouteLookup;
import io.fairlead.kernel.route.Rtnetlink;
import io.fairlead.kernel.socket.ConnectResult;
import io.fairlead.kernel.socket.ConnectionProbe;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.node.SysctlFiles;
import io.fairlead.proxy.trace.TraceEvidence.ChainName;
import io.fairlead.proxy.trace.TraceEvidence.LegacyLog;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Sends one connection from a network namespace and gathers what the kernel of the node reports
/// about it. Runs on its caller's thread, in the node's namespace; one at a time on a node.
public final class ConnectionTracer {
  /// How long reports may come after the answer.
  private static final Duration SETTLE = Duration.ofMillis(50);

  private static final Duration GLANCE = Duration.ofMillis(20);

  /// How long the other side of a connection that was overheard has to answer.
  private static final Duration ANSWER = Duration.ofMillis(300);

  private static final int MOST_EVENTS = 500;

  /// How often a connection is tried that must go to one endpoint.
  private static final int TRIES = 40;

  private static final SysctlFiles SETTINGS = new SysctlFiles(Path.of("/proc/sys"));
  private static final List<String> SYSCTLS =
      List.of("net/ipv4/ip_forward", "net/ipv6/conf/all/forwarding", "net/ipv4/conf/all/rp_filter");

  private final Ticker ticker;
  private final Pacer pacer;
  private volatile @Nullable InProgress inProgress;

  public ConnectionTracer(Ticker ticker, Pacer pacer) {
    this.ticker = ticker;
    this.pacer = pacer;
  }

  /// The way out of the client's namespace.
  private record Way(Optional<RouteLookup> route, String link) {}

  /// A connection that is on its way.
  ///
  /// @param local where it comes from
  /// @param events what the kernel has reported so far, guarded by itself
  private record InProgress(
      TraceRequest request, Way way, InetSocketAddress local, List<NftEvent> events) {}

  /// What is known of the connection that is on its way now; empty when none is. Reads the kernel
  /// on its caller's thread: the trace itself does not wait for it.
  public Optional<TraceEvidence> soFar() {
    InProgress now = inProgress;
    return now == null
        ? Optional.empty()
        : Optional.of(
            evidence(
                now.request(),
                now.local(),
                now.way(),
                null,
                packets(now.events(), now.local().getPort()),
                Optional.empty(),
                false,
                LegacyLog.NONE));
  }

  /// Runs one trace.
  ///
  /// @throws SystemCallException when the kernel cannot trace, or this process may not
  /// @throws TraceTable.TraceRunningException when another trace runs
  public TraceEvidence run(TraceRequest request) throws InterruptedException {
    Way way = inside(request.namespace(), () -> way(request.destination()));
    InetAddress source = way.route().map(RouteLookup::source).orElse(null);
    if (request.passive()) {
      return overhear(request, request.namespace().isPresent() ? source : null);
    }
    if (source == null) {
      return evidence(request, null, way, null, List.of(), Optional.empty(), false, LegacyLog.NONE);
    }
    List<NftEvent> events = new ArrayList<>();
    boolean ipv4 = request.destination().getAddress().length == 4;
    try (NftMonitor _ = NftMonitor.traces(event -> add(events, event));
        Conntrack conntrack = Conntrack.open();
        OptionalResource<LegacyTables> legacy = OptionalResource.of(LegacyTables.listen(ipv4))) {
      Attempt attempt =
          request.endpoint().isPresent()
              ? repeated(request, source, way, conntrack, events)
              : once(request, source, way, conntrack, events);
      List<TracedPacket> packets;
      boolean lost;
      synchronized (events) {
        lost = events.stream().anyMatch(NftEvent.Lost.class::isInstance);
        packets = packets(events, attempt.local().getPort());
      }
      LegacyLog log =
          legacy
              .get()
              .map(
                  each ->
                      new LegacyLog(each.of(attempt.local().getPort()), LegacyTables.rules(ipv4)))
              .orElse(LegacyLog.NONE);
      return evidence(
          request, attempt.local(), way, attempt.result(), packets, attempt.entry(), lost, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      inProgress = null;
    }
  }

  /// Waits for a connection that others make.
  ///
  /// @param source of the client; null for any
  private TraceEvidence overhear(TraceRequest request, @Nullable InetAddress source)
      throws InterruptedException {
    List<NftEvent> events = new ArrayList<>();
    Way unknown = new Way(Optional.empty(), "");
    try (NftMonitor _ = NftMonitor.traces(event -> add(events, event));
        Conntrack conntrack = Conntrack.open();
        TraceTable _ =
            TraceTable.open(
                new TraceTable.Match(
                    source, request.destination(), request.protocol(), 0, request.port()))) {
      long start = ticker.nanos();
      while (isEmpty(events) && ticker.nanos() - start < request.limit().toNanos()) {
        pacer.pause(GLANCE);
      }
      if (isEmpty(events)) {
        return evidence(
            request, null, unknown, null, List.of(), Optional.empty(), false, LegacyLog.NONE);
      }
      pacer.pause(ANSWER);
      List<TracedPacket> all = TracedPacket.group(traced(events));
      PacketHeaders first = all.getFirst().headers();
      ConntrackTuple tuple =
          new ConntrackTuple(
              first.source(),
              first.destination(),
              first.protocol(),
              first.sourcePort(),
              first.destinationPort());
      Optional<ConntrackEntry> entry = conntrack.find(tuple);
      boolean answered = entry.map(ConntrackEntry::answeredAtAll).orElse(false);
      return evidence(
          request,
          new InetSocketAddress(first.source(), first.sourcePort()),
          unknown,
          new ConnectResult(
              answered ? ConnectResult.Outcome.CONNECTED : ConnectResult.Outcome.TIMEOUT,
              ANSWER.toNanos(),
              ""),
          packets(events, first.sourcePort()),
          entry,
          false,
          LegacyLog.NONE);
    }
  }

  private static boolean isEmpty(List<NftEvent> events) {
    synchronized (events) {
      return traced(events).isEmpty();
    }
  }

  private static List<NftEvent.Traced> traced(List<NftEvent> events) {
    synchronized (events) {
      return events.stream()
          .filter(NftEvent.Traced.class::isInstance)
          .map(NftEvent.Traced.class::cast)
          .toList();
    }
  }

  private static void add(List<NftEvent> events, NftEvent event) {
    synchronized (events) {
      if (events.size() < MOST_EVENTS || event instanceof NftEvent.Lost) {
        events.add(event);
      }
    }
  }

  private static List<TracedPacket> packets(List<NftEvent> events, int port) {
    return TracedPacket.group(traced(events)).stream()
        .filter(packet -> packet.headers().sourcePort() == port)
        .toList();
  }

  /// One connection that was tried.
  private record Attempt(
      InetSocketAddress local, ConnectResult result, Optional<ConntrackEntry> entry) {}

  private Attempt once(
      TraceRequest request, InetAddress source, Way way, Conntrack conntrack, List<NftEvent> events)
      throws IOException, InterruptedException {
    try (ConnectionProbe probe = inside(request.namespace(), () -> probe(request, source));
        OptionalResource<TraceTable> _ = table(match(request, source, probe.local().getPort()))) {
      synchronized (events) {
        events.clear();
      }
      inProgress = new InProgress(request, way, probe.local(), events);
      return attempt(request, probe, conntrack);
    }
  }

  /// A kernel that takes no tables of nftables still says where IPVS sent a connection.
  private static OptionalResource<TraceTable> table(TraceTable.Match match) {
    try {
      return OptionalResource.of(Optional.of(TraceTable.open(match)));
    } catch (SystemCallException e) {
      if (IpvsConnection.isAvailable()) {
        return OptionalResource.of(Optional.empty());
      }
      throw e;
    }
  }

  /// Tries until a connection goes to the endpoint that is wanted.
  private Attempt repeated(
      TraceRequest request, InetAddress source, Way way, Conntrack conntrack, List<NftEvent> events)
      throws IOException, InterruptedException {
    InetAddress wanted = request.endpoint().orElseThrow();
    Attempt last = once(request, source, way, conntrack, events);
    for (int i = 1; i < TRIES && !goesTo(last, wanted); i++) {
      last = once(request, source, way, conntrack, events);
    }
    return last;
  }

  private static boolean goesTo(Attempt attempt, InetAddress endpoint) {
    return attempt.entry().map(entry -> entry.reply().source().equals(endpoint)).orElse(false);
  }

  private Attempt attempt(TraceRequest request, ConnectionProbe probe, Conntrack conntrack)
      throws InterruptedException {
    ConnectResult result =
        probe.run(
            new InetSocketAddress(request.destination(), request.port()),
            request.payload().getBytes(StandardCharsets.UTF_8),
            request.limit());
    pacer.pause(SETTLE);
    Optional<ConntrackEntry> entry =
        conntrack.find(
            new ConntrackTuple(
                probe.local().getAddress(),
                request.destination(),
                request.protocol().number(),
                probe.local().getPort(),
                request.port()));
    return new Attempt(probe.local(), result, entry);
  }

  private ConnectionProbe probe(TraceRequest request, InetAddress source) throws IOException {
    return request.protocol() == Protocol.UDP
        ? ConnectionProbe.udp(source, 0, ticker)
        : ConnectionProbe.tcp(source, 0, ticker);
  }

  private static TraceTable.Match match(TraceRequest request, InetAddress source, int port) {
    return new TraceTable.Match(
        source, request.destination(), request.protocol(), port, request.port());
  }

  private static Way way(InetAddress destination) {
    try (Rtnetlink network = Rtnetlink.open()) {
      RouteLookup route = network.lookup(destination);
      return new Way(Optional.of(route), links(network).getOrDefault(route.link(), ""));
    } catch (SystemCallException e) {
      // ENETUNREACH or EHOSTUNREACH: no packet would leave.
      return new Way(Optional.empty(), "");
    }
  }

  private static <T> T inside(Optional<Path> namespace, Callable<T> work) {
    if (namespace.isPresent()) {
      return NetworkNamespace.callIn(namespace.get(), work);
    }
    try {
      return work.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<Integer, String> links(Rtnetlink network) {
    return network.links().stream().collect(Collectors.toMap(Link::index, Link::name));
  }

  private static TraceEvidence evidence(
      TraceRequest request,
      @Nullable InetSocketAddress source,
      Way way,
      @Nullable ConnectResult result,
      List<TracedPacket> packets,
      Optional<ConntrackEntry> entry,
      boolean lost,
      LegacyLog legacy) {
    Map<Integer, String> links;
    String wayBack = "";
    try (Rtnetlink network = Rtnetlink.open()) {
      links = links(network);
      if (source != null) {
        wayBack = wayBack(network, source.getAddress(), links);
      }
    }
    return new TraceEvidence(
        source,
        request.destination(),
        request.port(),
        way.route(),
        way.link(),
        result,
        packets,
        entry,
        rules(packets),
        links,
        lost,
        settings(links.values()),
        wayBack,
        source == null
            ? Optional.empty()
            : IpvsConnection.find(
                source, new InetSocketAddress(request.destination(), request.port())),
        legacy);
  }

  /// The chains a packet was in, as they are listed: by that a rule's number is known.
  private static Map<ChainName, List<ListedRule>> rules(List<TracedPacket> packets) {
    Map<ChainName, List<ListedRule>> rules = new HashMap<>();
    try (Nftables nftables = Nftables.open()) {
      for (TracedPacket packet : packets) {
        for (NftEvent.Traced event : packet.events()) {
          if (event.rule() != 0 && !event.table().name().equals(TraceTable.NAME)) {
            rules.computeIfAbsent(
                new ChainName(event.table(), event.chain()),
                chain -> nftables.rules(chain.table(), chain.chain()));
          }
        }
      }
    }
    return rules;
  }

  /// How the node sends to a client; empty when no route leads there.
  private static String wayBack(Rtnetlink network, InetAddress client, Map<Integer, String> links) {
    try {
      return links.getOrDefault(network.lookup(client).link(), "");
    } catch (SystemCallException _) {
      return "";
    }
  }

  private static Map<String, String> settings(Collection<String> links) {
    Map<String, String> values = new HashMap<>();
    for (String name : SYSCTLS) {
      put(values, name.replace('/', '.'), name);
    }
    for (String link : links) {
      put(values, TraceEvidence.reversePathFilter(link), "net/ipv4/conf/" + link + "/rp_filter");
    }
    return values;
  }

  private static void put(Map<String, String> values, String name, String file) {
    try {
      values.put(name, SETTINGS.text(file));
    } catch (IOException _) {
      // A kernel without IPv6 has none of it, and an interface may go.
    }
  }
}
