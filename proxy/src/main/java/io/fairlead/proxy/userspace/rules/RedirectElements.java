package io.fairlead.proxy.userspace.rules;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.SetElement;
import io.fairlead.proxy.core.Protocol;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The elements of all sets and maps, by container and key. Some stand for several routes and are
/// counted.
final class RedirectElements {
  private static final int LONGEST_COMMENT = 128;

  /// @param users how many routes want it
  private record Counted(SetElement element, int users) {}

  private final Map<RedirectSet, Map<NftData, Counted>> all = new EnumMap<>(RedirectSet.class);

  RedirectElements() {
    for (RedirectSet container : RedirectSet.values()) {
      all.put(container, new LinkedHashMap<>());
    }
  }

  private Map<NftData, Counted> in(RedirectSet container) {
    Map<NftData, Counted> found = all.get(container);
    if (found == null) {
      throw new IllegalArgumentException(container.name());
    }
    return found;
  }

  List<SetElement> of(RedirectSet container) {
    return in(container).values().stream().map(Counted::element).toList();
  }

  @Nullable SetElement get(RedirectSet container, NftData key) {
    Counted found = in(container).get(key);
    return found == null ? null : found.element;
  }

  int size(RedirectSet container) {
    return in(container).size();
  }

  void add(RedirectSet container, SetElement element) {
    in(container)
        .merge(
            key(element), new Counted(element, 1), (old, _) -> new Counted(element, old.users + 1));
  }

  private void remove(RedirectSet container, SetElement element) {
    in(container)
        .computeIfPresent(
            key(element),
            (_, old) -> old.users == 1 ? null : new Counted(old.element, old.users - 1));
  }

  /// Ranges are told apart by both ends.
  private static NftData key(SetElement element) {
    NftData end = element.keyEnd();
    return end == null ? element.key() : element.key().join(end);
  }

  static NftData keyOf(SetElement element) {
    return key(element);
  }

  void add(RedirectRoute route) {
    each(route, this::add);
  }

  void remove(RedirectRoute route) {
    each(route, this::remove);
  }

  /// What to do with each element of a route.
  interface Each {
    void element(RedirectSet container, SetElement element);
  }

  static void each(RedirectRoute route, Each each) {
    boolean nodePort = route.destination().address() == null;
    NftData key = RedirectTableLayout.key(route.destination());
    String comment = shortened(route.owner());
    switch (route.way()) {
      case RedirectRoute.Action.To(RedirectRoute.Socket listener) -> {
        each.element(
            nodePort ? RedirectSet.NODE_PORTS : RedirectSet.PORTALS,
            SetElement.of(key, RedirectTableLayout.value(listener), comment));
        listener(listener, route.destination().protocol(), each);
      }
      case RedirectRoute.Action.Refuse() ->
          each.element(
              nodePort ? RedirectSet.NODE_PORT_REFUSED : RedirectSet.REFUSED, plain(key, comment));
      case RedirectRoute.Action.Drop() ->
          each.element(
              nodePort ? RedirectSet.NODE_PORT_DROPPED : RedirectSet.DROPPED, plain(key, comment));
    }
    RedirectRoute.Socket inside = route.inside();
    if (inside != null) {
      each.element(
          nodePort ? RedirectSet.NODE_PORT_INSIDE : RedirectSet.INSIDE,
          SetElement.of(key, RedirectTableLayout.value(inside), comment));
      listener(inside, route.destination().protocol(), each);
    }
    IpAddress address = route.destination().address();
    if (address != null && route.clusterIp()) {
      each.element(RedirectSet.CLUSTER_IPS, SetElement.of(RedirectTableLayout.address(address)));
    }
    if (!route.sources().isEmpty()) {
      each.element(RedirectSet.RESTRICTED, plain(key, comment));
      for (Cidr range : disjoint(route.sources())) {
        each.element(
            RedirectSet.SOURCES,
            SetElement.range(
                RedirectTableLayout.address(range.first()).join(key),
                RedirectTableLayout.address(range.last()).join(key),
                ""));
      }
    }
  }

  private static void listener(RedirectRoute.Socket listener, Protocol protocol, Each each) {
    each.element(
        RedirectSet.LISTENERS,
        SetElement.of(
            RedirectTableLayout.key(
                new RedirectRoute.Destination(listener.address(), protocol, listener.port()))));
  }

  private static SetElement plain(NftData key, String comment) {
    return new SetElement(key, null, null, null, 0, -1, 0, comment);
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
