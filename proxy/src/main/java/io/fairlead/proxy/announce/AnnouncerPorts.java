package io.fairlead.proxy.announce;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.route.HardwareAddress;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.announce.NetworkSegment.LinkPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The interfaces that are open for announcing. Owned by the announcer's thread; [#hardware] may be
/// read by any.
final class AnnouncerPorts implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AnnouncerPorts.class);

  private record OpenLink(AnnounceInterface link, LinkPort port) {}

  private final NetworkSegment segment;
  private final Function<AnnounceInterface, AddressResponder> responders;
  private final Map<Integer, OpenLink> open = new LinkedHashMap<>();
  private final Set<String> refused = new HashSet<>();
  private Set<IpAddress> own = Set.of();
  private volatile Set<HardwareAddress> hardware = Set.of();

  AnnouncerPorts(NetworkSegment segment, Function<AnnounceInterface, AddressResponder> responders) {
    this.segment = segment;
    this.responders = responders;
  }

  /// Looks at all interfaces: opens those that came, closes those that went.
  ///
  /// @param demands what is to be announced; interfaces that serve none of it are not opened
  /// @return whether something changed
  boolean refresh(Map<IpAddress, AddressDemand> demands) {
    Map<Integer, AnnounceInterface> now = new LinkedHashMap<>();
    if (!demands.isEmpty()) {
      for (AnnounceInterface link : segment.interfaces()) {
        if (demands.entrySet().stream()
            .anyMatch(each -> link.serves(each.getKey(), each.getValue().pool().interfaces()))) {
          now.put(link.index(), link);
        }
      }
      own = segment.ownAddresses();
    }
    boolean changed = false;
    for (OpenLink each : new ArrayList<>(open.values())) {
      if (!each.link.equals(now.get(each.link.index()))) {
        open.remove(each.link.index());
        each.port.close();
        changed = true;
      }
    }
    Set<HardwareAddress> all = new HashSet<>();
    now.values().forEach(link -> all.add(link.hardware()));
    hardware = Set.copyOf(all);
    for (AnnounceInterface link : now.values()) {
      if (!open.containsKey(link.index())) {
        changed |= open(link);
      }
    }
    return changed;
  }

  private boolean open(AnnounceInterface link) {
    AddressResponder responder = responders.apply(link);
    try {
      LinkPort port = segment.open(link, responder);
      responder.answerThrough(port);
      open.put(link.index(), new OpenLink(link, port));
      refused.remove(link.name());
      return true;
    } catch (SystemCallException e) {
      // Tried again at every look, told once.
      if (refused.add(link.name())) {
        log.atWarn()
            .addKeyValue("interface", link.name())
            .addKeyValue("why", e.getMessage())
            .log("no addresses are announced on an interface");
      }
      return false;
    }
  }

  /// The numbers of the interfaces through which neighbours ask for an address.
  Set<Integer> serving(IpAddress address, AddressDemand demand) {
    Set<Integer> serving = new TreeSet<>();
    if (own.contains(address)) {
      // An interface of this machine has it: the kernel answers, not we.
      return serving;
    }
    for (OpenLink each : open.values()) {
      if (each.link.serves(address, demand.pool().interfaces())) {
        serving.add(each.link.index());
      }
    }
    return serving;
  }

  void announce(IpAddress address, AddressDemand demand) {
    for (int link : serving(address, demand)) {
      OpenLink each = open.get(link);
      if (each != null) {
        AddressResponder.announce(each.link, each.port, address);
      }
    }
  }

  void probe(IpAddress address, AddressDemand demand) {
    for (int link : serving(address, demand)) {
      OpenLink each = open.get(link);
      if (each != null) {
        AddressResponder.probe(each.link, each.port, address);
      }
    }
  }

  /// Has solicitations for these come here.
  void listenFor(Map<IpAddress, Set<Integer>> addresses) {
    Map<Integer, Set<IpAddress>> byLink = new HashMap<>();
    addresses.forEach(
        (address, links) ->
            links.forEach(link -> byLink.computeIfAbsent(link, _ -> new TreeSet<>()).add(address)));
    open.forEach((index, each) -> each.port.listenFor(byLink.getOrDefault(index, Set.of())));
  }

  /// Of all usable interfaces of this machine.
  Set<HardwareAddress> hardware() {
    return hardware;
  }

  List<AnnounceInterface> links() {
    return open.values().stream().map(OpenLink::link).toList();
  }

  @Override
  public void close() {
    open.values().forEach(each -> each.port.close());
    open.clear();
  }
}
