package io.fairlead.proxy.userspace.rules;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Element;
import io.fairlead.proxy.core.Protocol;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The elements of all sets and maps, by container and key. Some stand for several routes and are
/// counted.
final class Elements {
  private static final int LONGEST_COMMENT = 128;

  /// @param users how many routes want it
  private record Counted(Element element, int users) {}

  private final Map<Container, Map<Bytes, Counted>> all = new EnumMap<>(Container.class);

  Elements() {
    for (Container container : Container.values()) {
      all.put(container, new LinkedHashMap<>());
    }
  }

  private Map<Bytes, Counted> in(Container container) {
    Map<Bytes, Counted> found = all.get(container);
    if (found == null) {
      throw new IllegalArgumentException(container.name());
    }
    return found;
  }

  List<Element> of(Container container) {
    return in(container).values().stream().map(Counted::element).toList();
  }

  @Nullable Element get(Container container, Bytes key) {
    Counted found = in(container).get(key);
    return found == null ? null : found.element;
  }

  int size(Container container) {
    return in(container).size();
  }

  void add(Container container, Element element) {
    in(container)
        .merge(
            key(element), new Counted(element, 1), (old, _) -> new Counted(element, old.users + 1));
  }

  private void remove(Container container, Element element) {
    in(container)
        .computeIfPresent(
            key(element),
            (_, old) -> old.users == 1 ? null : new Counted(old.element, old.users - 1));
  }

  /// Ranges are told apart by both ends.
  private static Bytes key(Element element) {
    Bytes end = element.keyEnd();
    return end == null ? element.key() : element.key().join(end);
  }

  static Bytes keyOf(Element element) {
    return key(element);
  }

  void add(Route route) {
    each(route, this::add);
  }

  void remove(Route route) {
    each(route, this::remove);
  }

  /// What to do with each element of a route.
  interface Each {
    void element(Container container, Element element);
  }

  static void each(Route route, Each each) {
    boolean nodePort = route.destination().address() == null;
    Bytes key = Layout.key(route.destination());
    String comment = shortened(route.owner());
    switch (route.way()) {
      case Route.Way.To(Route.Socket listener) -> {
        each.element(
            nodePort ? Container.NODE_PORTS : Container.PORTALS,
            Element.of(key, Layout.value(listener), comment));
        listener(listener, route.destination().protocol(), each);
      }
      case Route.Way.Refuse() ->
          each.element(
              nodePort ? Container.NODE_PORT_REFUSED : Container.REFUSED, plain(key, comment));
      case Route.Way.Drop() ->
          each.element(
              nodePort ? Container.NODE_PORT_DROPPED : Container.DROPPED, plain(key, comment));
    }
    Route.Socket inside = route.inside();
    if (inside != null) {
      each.element(
          nodePort ? Container.NODE_PORT_INSIDE : Container.INSIDE,
          Element.of(key, Layout.value(inside), comment));
      listener(inside, route.destination().protocol(), each);
    }
    IpAddress address = route.destination().address();
    if (address != null && route.clusterIp()) {
      each.element(Container.CLUSTER_IPS, Element.of(Layout.address(address)));
    }
    if (!route.sources().isEmpty()) {
      each.element(Container.RESTRICTED, plain(key, comment));
      for (Cidr range : disjoint(route.sources())) {
        each.element(
            Container.SOURCES,
            Element.range(
                Layout.address(range.first()).join(key),
                Layout.address(range.last()).join(key),
                ""));
      }
    }
  }

  private static void listener(Route.Socket listener, Protocol protocol, Each each) {
    each.element(
        Container.LISTENERS,
        Element.of(
            Layout.key(new Route.Destination(listener.address(), protocol, listener.port()))));
  }

  private static Element plain(Bytes key, String comment) {
    return new Element(key, null, null, null, 0, -1, 0, comment);
  }

  /// The kernel's tools take no longer comments.
  private static String shortened(String comment) {
    return comment.getBytes(StandardCharsets.UTF_8).length <= LONGEST_COMMENT
        ? comment
        : comment.substring(0, Math.min(comment.length(), LONGEST_COMMENT));
  }

  /// The ranges without those inside another: the kernel refuses overlapping ones.
  private static List<Cidr> disjoint(List<Cidr> ranges) {
    List<Cidr> masked = ranges.stream().map(Cidr::masked).distinct().toList();
    return masked.stream()
        .filter(
            range ->
                masked.stream().noneMatch(other -> !other.equals(range) && other.contains(range)))
        .toList();
  }
}
