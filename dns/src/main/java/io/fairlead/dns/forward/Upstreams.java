package io.fairlead.dns.forward;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.plugin.InstanceContext;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The servers of a line: those written out, those that names lead to, and those of files, which
/// are read again when they change. Servers that stay keep their state.
final class Upstreams implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Upstreams.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  private final ForwardOptions options;
  private final InstanceContext instance;
  private final UpstreamExchange exchange;
  private final Upstream.UpstreamContext shared;
  // Guarded by this.
  private final Map<UpstreamAddressReader.Destination.Host, List<UpstreamAddress>> hosts =
      new HashMap<>();
  private final Map<Path, FileTime> seen = new HashMap<>();
  private long nextLook;
  private volatile List<Upstream> current = List.of();

  Upstreams(ForwardOptions options, InstanceContext instance, UpstreamExchange exchange) {
    this.options = options;
    this.instance = instance;
    this.exchange = exchange;
    this.shared =
        Upstream.UpstreamContext.of(
            options,
            exchange,
            instance.ticker(),
            instance.pacer(),
            instance.random(),
            instance.metrics());
    this.nextLook = instance.ticker().nanos();
  }

  /// Looks up host names; called once at the start.
  synchronized void resolve() {
    for (UpstreamAddressReader.Destination to : options.to()) {
      if (to instanceof UpstreamAddressReader.Destination.Host host) {
        hosts.put(host, addresses(host));
      }
    }
    rebuild();
  }

  List<Upstream> current() {
    boolean files =
        options.to().stream().anyMatch(UpstreamAddressReader.Destination.File.class::isInstance);
    if (files || current.isEmpty()) {
      lookAgain();
    }
    return current;
  }

  private synchronized void lookAgain() {
    long now = instance.ticker().nanos();
    if (now < nextLook && !current.isEmpty()) {
      return;
    }
    nextLook = now + LOOK_EVERY.toNanos();
    boolean changed = current.isEmpty();
    for (UpstreamAddressReader.Destination to : options.to()) {
      if (to instanceof UpstreamAddressReader.Destination.File(String path)) {
        changed |= changed(Path.of(path));
      }
    }
    if (changed) {
      rebuild();
    }
  }

  private boolean changed(Path file) {
    try {
      FileTime time = Files.getLastModifiedTime(file);
      return !time.equals(seen.put(file, time));
    } catch (IOException e) {
      // Being replaced, most likely: what was read before still counts.
      return false;
    }
  }

  private void rebuild() {
    List<UpstreamAddress> targets = new ArrayList<>();
    for (UpstreamAddressReader.Destination to : options.to()) {
      switch (to) {
        case UpstreamAddressReader.Destination.Server(UpstreamAddress target) ->
            targets.add(target);
        case UpstreamAddressReader.Destination.Host host ->
            targets.addAll(hosts.getOrDefault(host, List.of()));
        case UpstreamAddressReader.Destination.File(String path) ->
            targets.addAll(read(Path.of(path)));
      }
    }
    Map<UpstreamAddress, Upstream> old = new HashMap<>();
    current.forEach(each -> old.put(each.target(), each));
    List<Upstream> now = new ArrayList<>();
    for (UpstreamAddress target : targets) {
      Upstream known = old.remove(target);
      now.add(known == null ? new Upstream(target, shared) : known);
    }
    old.values().forEach(Upstream::close);
    current = List.copyOf(now);
  }

  private List<UpstreamAddress> read(Path file) {
    try {
      return ResolvConfNameservers.read(Files.readString(file)).stream()
          .map(each -> new UpstreamAddress(UpstreamAddress.Protocol.DNS, each, 53, null))
          .toList();
    } catch (IOException e) {
      log.atWarn().addKeyValue("file", file).setCause(e).log("cannot read upstreams");
      return current.stream().map(Upstream::target).toList();
    }
  }

  private List<UpstreamAddress> addresses(UpstreamAddressReader.Destination.Host host) {
    List<IpAddress> found = new ArrayList<>();
    if (options.resolvers().isEmpty()) {
      try {
        for (InetAddress each : InetAddress.getAllByName(host.host())) {
          found.add(IpAddress.ofBytes(each.getAddress()));
        }
      } catch (IOException e) {
        throw new IllegalStateException(
            "forward: cannot look up the upstream " + host.host() + "; write its address", e);
      }
    } else {
      found.addAll(HostLookup.addresses(host.host(), options.resolvers(), exchange, instance));
    }
    if (found.isEmpty()) {
      throw new IllegalStateException(
          "forward: the upstream " + host.host() + " has no address; write one");
    }
    return found.stream()
        .map(each -> new UpstreamAddress(host.protocol(), each, host.port(), name(host)))
        .toList();
  }

  private static @Nullable String name(UpstreamAddressReader.Destination.Host host) {
    boolean encrypted = host.protocol() != UpstreamAddress.Protocol.DNS;
    return host.serverName() != null || !encrypted ? host.serverName() : host.host();
  }

  @Override
  public void close() {
    current.forEach(Upstream::close);
  }
}
