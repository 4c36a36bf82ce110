package io.fairlead.proxy.trace;

import io.fairlead.kernel.conntrack.ConntrackEntry;
import io.fairlead.kernel.nftables.NftEvent;
import io.fairlead.kernel.nftables.NftVerdict;
import io.fairlead.kernel.nftables.PacketHeaders;
import io.fairlead.kernel.nftables.TracedPacket;
import io.fairlead.kernel.route.RouteLookup;
import io.fairlead.kernel.socket.ConnectResult;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.RelayedChoice;
import io.fairlead.proxy.core.TrafficVerdict;
import io.fairlead.proxy.trace.TraceReport.EndpointShare;
import io.fairlead.proxy.trace.TraceReport.Result;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Turns what was seen of a connection into hops and a result. Pure.
///
/// How it works: of all packets, which are the first one and its repetitions, the one that got
/// furthest counts. Its events become hops by [ChainHops]. Where it went is known from conntrack,
/// or from the headers that the last chain of the trace saw. Where it ended is known from a
/// verdict, or from between which hooks of the trace's own table it vanished.
public final class TraceAnalysis {
  private static final double NANOS_PER_MILLI = 1e6;

  private final TraceEvidence seen;
  private final TraceContext context;
  private final List<TraceHop> hops = new ArrayList<>();
  private final Map<String, String> values = new HashMap<>();
  private final @Nullable TracedPacket packet;
  private final @Nullable EndpointShare endpoint;
  private String code = "";
  private int decisive;

  private TraceAnalysis(TraceEvidence seen, TraceContext context) {
    this.seen = seen;
    this.context = context;
    this.packet =
        seen.packets().stream()
            .max(Comparator.comparingInt((TracedPacket each) -> each.events().size()))
            .orElse(null);
    this.endpoint = endpoint();
  }

  public static TraceReport of(TraceEvidence seen, TraceContext context) {
    return new TraceAnalysis(seen, context).report();
  }

  /// The hops of a connection that is still on its way, as far as they are known. That it was lost
  /// is not known before its time is over.
  public static List<TraceHop> soFar(TraceEvidence seen, TraceContext context) {
    return new TraceAnalysis(seen, context).hopsSoFar();
  }

  private List<TraceHop> hopsSoFar() {
    hops.add(route());
    if (packet != null) {
      ChainHops.Ending ending = new ChainHops(seen, context, packet).addTo(hops);
      if (ending.lost()) {
        hops.removeLast();
        ending = ChainHops.Ending.NONE;
      }
      ChainHops.Ending _ = translation(ending);
    }
    return List.copyOf(hops);
  }

  private TraceReport report() {
    hops.add(route());
    ConnectResult result = seen.result();
    if (result == null) {
      decisive = 1;
      return ended(Result.LOST, "FL191", "address", text(seen.destination()));
    }
    ChainHops.Ending ending = ChainHops.Ending.NONE;
    if (packet != null) {
      ChainHops chains = new ChainHops(seen, context, packet);
      ending = legacy(chains.addTo(hops));
    }
    ending = translation(ending);
    return switch (result.outcome()) {
      case CONNECTED -> reached(result);
      case REFUSED -> refused(result, ending);
      case TIMEOUT, UNREACHABLE, FAILED -> silent(result, ending);
    };
  }

  /// Adds what legacy tables logged. They are met after the packet enters and before it is lost.
  private ChainHops.Ending legacy(ChainHops.Ending ending) {
    LegacyHops logged = new LegacyHops(seen.legacy().packets(), seen.legacy().rules());
    if (logged.isEmpty() || (ending.hop() > 0 && !ending.lost())) {
      return ending;
    }
    TraceHop lost = ending.lost() ? hops.removeLast() : null;
    ChainHops.Ending ended = logged.addTo(hops, context);
    if (ended.hop() > 0 || lost == null) {
      return ended;
    }
    hops.add(lost);
    return new ChainHops.Ending(hops.size(), true, ending.code(), ending.values());
  }

  private TraceHop route() {
    Optional<RouteLookup> route = seen.route();
    InetSocketAddress source = seen.source();
    if (route.isEmpty() && source != null) {
      return TraceHop.of(
          "other", "nft trace", "a client at " + text(source.getAddress(), source.getPort()));
    }
    if (route.isEmpty()) {
      return TraceHop.of("pod", "netlink", "no route to " + text(seen.destination()));
    }
    InetAddress gateway = route.get().gateway();
    String way =
        route.get().local()
            ? "route to itself"
            : gateway == null
                ? "route by " + seen.routeLink()
                : "route via " + text(gateway) + " by " + seen.routeLink();
    return TraceHop.of("pod", "netlink", way);
  }

  /// Adds the hop of a translation, if there was one: in front of what ended the way, for a packet
  /// that is not translated has no endpoint.
  private ChainHops.Ending translation(ChainHops.Ending ending) {
    InetSocketAddress source = seen.source();
    EndpointShare to = endpoint;
    if (to == null || source == null || !isTranslated(to)) {
      return ending;
    }
    if (isRelayed(to)) {
      hops.add(
          TraceHop.of(
              "relay",
              "conntrack",
              "redirected to the relay of this node at " + text(to.address(), to.port())));
      context.relayed().map(RelayHop::of).ifPresent(hops::add);
      return ending;
    }
    if (seen.ipvs().isPresent()) {
      hops.add(
          ending.hop() > 0 ? ending.hop() - 1 : hops.size(),
          TraceHop.of(
                  "nat",
                  "ipvs",
                  "real server "
                      + text(to.address(), to.port())
                      + ", state "
                      + seen.ipvs().get().state())
              .withShare(to.share()));
      return ending.hop() > 0 ? ending.later() : ending;
    }
    Optional<ConntrackEntry> entry = seen.entry();
    String masquerade = "";
    if (entry.isPresent()) {
      boolean masked = entry.get().sourceTranslated();
      masquerade =
          masked
              ? ", masqueraded as "
                  + text(entry.get().reply().destination(), entry.get().reply().destinationPort())
              : ", no masquerade";
    }
    hops.add(
        ending.hop() > 0 ? ending.hop() - 1 : hops.size(),
        TraceHop.of(
                "nat",
                entry.isPresent() ? "conntrack" : "nft trace",
                "DNAT to " + text(to.address(), to.port()) + masquerade)
            .withShare(to.share()));
    return ending.hop() > 0 ? ending.later() : ending;
  }

  /// In userspace mode rules lead to a process of the node, which calls an endpoint itself.
  private boolean isRelayed(EndpointShare to) {
    return context.mode() == ProxyMode.USERSPACE && to.share() < 0;
  }

  private boolean isTranslated(EndpointShare to) {
    return !to.address().equals(text(seen.destination())) || to.port() != seen.port();
  }

  private TraceReport reached(ConnectResult result) {
    if (endpoint != null && isRelayed(endpoint) && RelayHop.failed(context.relayed())) {
      decisive = hops.size();
      return ended(Result.REFUSED, "FL123", "port", RelayHop.port(context.relayed()));
    }
    double millis = result.nanos() / NANOS_PER_MILLI;
    // Of a connection that others made only the fact is known.
    hops.add(
        seen.route().isEmpty()
            ? TraceHop.of("remote", "conntrack", who() + " answered")
            : TraceHop.of("remote", "socket", who() + " answered in " + shown(millis))
                .took(millis));
    return ended(Result.REACHED, "");
  }

  private TraceReport refused(ConnectResult result, ChainHops.Ending ending) {
    if (ending.hop() > 0) {
      decisive = ending.hop();
      return ended(Result.REFUSED, ending.code(), ending.values());
    }
    double millis = result.nanos() / NANOS_PER_MILLI;
    hops.add(TraceHop.of("remote", "socket", who() + " refused").took(millis));
    decisive = hops.size();
    return ended(
        Result.REFUSED,
        "FL123",
        "port",
        endpoint == null ? "" + seen.port() : "" + endpoint.port());
  }

  private TraceReport silent(ConnectResult result, ChainHops.Ending ending) {
    if (ending.hop() > 0) {
      decisive = ending.hop();
      return ended(ending.lost() ? Result.LOST : Result.DROPPED, ending.code(), ending.values());
    }
    double millis = result.nanos() / NANOS_PER_MILLI;
    String how =
        result.outcome() == ConnectResult.Outcome.TIMEOUT
            ? "no answer in " + shown(millis)
            : result.detail();
    hops.add(TraceHop.of("remote", "socket", who() + ": " + how).took(millis));
    decisive = hops.size();
    return isOwn(endpoint)
        ? ended(Result.NO_ANSWER, "FL148", "pod", who())
        : ended(Result.NO_ANSWER, "FL188", "endpoint", who());
  }

  /// Whether a connection came back to its own client.
  private boolean isOwn(@Nullable EndpointShare to) {
    InetSocketAddress source = seen.source();
    return to != null
        && source != null
        && isTranslated(to)
        && to.address().equals(text(source.getAddress()));
  }

  private String who() {
    if (endpoint != null && isRelayed(endpoint)) {
      return "the relay";
    }
    return endpoint == null
        ? text(seen.destination(), seen.port())
        : text(endpoint.address(), endpoint.port());
  }

  private TraceReport ended(Result result, String why, String... pairs) {
    Map<String, String> more = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      more.put(pairs[i], pairs[i + 1]);
    }
    return ended(result, why, more);
  }

  private TraceReport ended(Result result, String why, Map<String, String> more) {
    code = why;
    values.putAll(more);
    if (seen.lost() && code.isEmpty()) {
      code = "FL196";
    }
    boolean relayed = endpoint != null && isRelayed(endpoint);
    return new TraceReport(
        result, code, values, relayed ? taken() : endpoint, decisive, hops, others(relayed));
  }

  /// The endpoint that took a relayed connection; null when the relay does not say, or none did.
  private @Nullable EndpointShare taken() {
    return context
        .relayed()
        .flatMap(RelayedChoice::accepted)
        .map(each -> share(each.address().toString(), each.port()))
        .orElse(null);
  }

  /// Where the connection went: as IPVS or conntrack has it, else as the last chain saw it.
  private @Nullable EndpointShare endpoint() {
    if (seen.ipvs().isPresent()) {
      InetSocketAddress real = seen.ipvs().get().real();
      return share(real.getAddress(), real.getPort());
    }
    if (seen.entry().isPresent()) {
      ConntrackEntry entry = seen.entry().get();
      return share(entry.reply().source(), entry.reply().sourcePort());
    }
    if (packet == null) {
      return null;
    }
    PacketHeaders last = packet.lastHeaders();
    boolean translated =
        !last.destination().equals(seen.destination()) || last.destinationPort() != seen.port();
    return translated ? share(last.destination(), last.destinationPort()) : null;
  }

  private EndpointShare share(InetAddress address, int port) {
    return share(text(address), port);
  }

  private EndpointShare share(String address, int port) {
    List<Backend> backends = context.backends();
    boolean known =
        backends.stream()
            .anyMatch(each -> each.address().toString().equals(address) && each.port() == port);
    return new EndpointShare(address, port, known ? 1.0 / backends.size() : -1);
  }

  private List<EndpointShare> others(boolean relayed) {
    List<Backend> backends = context.backends();
    EndpointShare chosen = relayed ? taken() : endpoint;
    return backends.stream()
        .map(
            each ->
                new EndpointShare(each.address().toString(), each.port(), 1.0 / backends.size()))
        .filter(
            each ->
                chosen == null
                    || !each.address().equals(chosen.address())
                    || each.port() != chosen.port())
        .toList();
  }

  /// Whether a packet that a rule of this program's table drops is dropped for want of endpoints.
  static String ownDropCode(TraceContext context) {
    return context
        .front()
        .map(
            front ->
                switch (front.verdict()) {
                  case TrafficVerdict.Drop _ -> "FL144";
                  case TrafficVerdict.Reject _ -> "";
                  case TrafficVerdict.Forward _ -> front.sources().isEmpty() ? "" : "FL161";
                })
        .orElse("");
  }

  static String text(InetAddress address) {
    String text = address.getHostAddress();
    return address instanceof Inet6Address
        ? io.fairlead.api.net.IpAddress.ofBytes(address.getAddress()).toString()
        : text;
  }

  static String text(InetAddress address, int port) {
    return text(text(address), port);
  }

  static String text(String address, int port) {
    return address.indexOf(':') >= 0 ? "[" + address + "]:" + port : address + ":" + port;
  }

  static String shown(double millis) {
    return millis < 1000
        ? String.format(Locale.ROOT, "%.2f ms", millis)
        : String.format(Locale.ROOT, "%.1f s", millis / 1000);
  }

  static boolean isDrop(NftEvent.Traced event) {
    return event.verdict().code() == NftVerdict.DROP.code();
  }
}
