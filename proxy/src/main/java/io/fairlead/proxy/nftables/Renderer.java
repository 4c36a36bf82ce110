package io.fairlead.proxy.nftables;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Element;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Front;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToIntFunction;

/// Writes a service port as elements. Pure, but for the numbers of actions it asks for.
final class Renderer {
  private final ToIntFunction<Action> actions;

  /// @param actions gives the number of an action
  Renderer(ToIntFunction<Action> actions) {
    this.actions = actions;
  }

  /// By what the fronts of a service port are found.
  static List<Bytes> keys(ServicePlan plan) {
    List<Front> fronts = plan.fronts();
    List<Bytes> keys = new ArrayList<>(fronts.size());
    for (Front front : fronts) {
      keys.add(key(plan, front));
    }
    return keys;
  }

  static Bytes key(ServicePlan plan, Front front) {
    return front.kind() == Front.Kind.NODE_PORT
        ? Layout.nodePort(plan.port().protocol(), front.port())
        : Layout.front(
            Objects.requireNonNull(front.address()), plan.port().protocol(), front.port());
  }

  /// Whether traffic to a front goes to endpoints on this node only.
  static boolean isLocal(ServicePlan plan, Front front) {
    return front.kind() == Front.Kind.CLUSTER_IP
        ? plan.port().internalLocal()
        : plan.port().externalLocal();
  }

  /// Gives each key once.
  ///
  /// @param claims whose a front is
  void render(ServicePlan plan, Placement placement, Claims claims, ElementSink into) {
    List<Front> fronts = plan.fronts();
    if (fronts.size() == 1 && plan.port().stickySeconds() == 0) {
      render(plan, fronts, placement, claims, into);
      return;
    }
    // Fronts may have an address in common, and endpoints on this node are also the cluster's.
    Elements own = new Elements();
    render(plan, fronts, placement, claims, own);
    own.forEach(into);
  }

  private void render(
      ServicePlan plan, List<Front> fronts, Placement placement, Claims claims, ElementSink into) {
    String comment = plan.name().displayName();
    for (Front front : fronts) {
      Bytes key = key(plan, front);
      if (claims.owns(key, plan.name())) {
        front(plan, placement, front, key, comment, into);
      }
    }
  }

  private void front(
      ServicePlan plan,
      Placement placement,
      Front front,
      Bytes key,
      String comment,
      ElementSink into) {
    Scope scope = front.kind() == Front.Kind.NODE_PORT ? Scope.NODE_PORT : Scope.ADDRESS;
    boolean address = scope == Scope.ADDRESS;
    boolean local = isLocal(plan, front);
    boolean restricted = !front.sources().isEmpty();
    boolean split = !front.inside().isEmpty();
    int sticky = plan.port().stickySeconds();
    Slots slots = local ? placement.local() : placement.cluster();
    Action general =
        action(
            front.verdict(), scope, local, slots.endpoints().size(), sticky, restricted && !split);
    Container fronts = address ? Container.FRONTS : Container.NODE_PORTS;
    if (split) {
      into.put(fronts, value(key, new Action.Split(scope, restricted), comment));
      into.put(address ? Container.OUTSIDE : Container.NODE_PORT_OUTSIDE, value(key, general, ""));
      Action inside =
          new Action.Pick(
              scope,
              false,
              placement.cluster().endpoints().size(),
              Verdict.Masquerade.NEVER,
              sticky,
              false);
      into.put(address ? Container.INSIDE : Container.NODE_PORT_INSIDE, value(key, inside, ""));
      slots(placement, placement.cluster(), Number.CLUSTER_SLOTS, key, scope, into);
    } else {
      into.put(fronts, value(key, general, comment));
    }
    if (front.verdict() instanceof Verdict.Forward) {
      slots(placement, slots, local ? Number.LOCAL_SLOTS : Number.CLUSTER_SLOTS, key, scope, into);
    }
    for (Cidr range : restricted ? disjoint(front.sources()) : List.<Cidr>of()) {
      into.put(
          Container.SOURCES,
          Element.range(
              Layout.address(range.first()).join(key), Layout.address(range.last()).join(key), ""));
    }
  }

  private static Action action(
      Verdict verdict, Scope scope, boolean local, int count, int sticky, boolean restricted) {
    // A test in place of a switch over types, which takes a fresh JVM long.
    return verdict instanceof Verdict.Forward forward
        ? new Action.Pick(scope, local, count, forward.masquerade(), sticky, restricted)
        : new Action.Refuse(verdict instanceof Verdict.Reject, restricted);
  }

  private Element value(Bytes key, Action action, String comment) {
    return Element.of(key, Number.bytes(actions.applyAsInt(action)), comment);
  }

  private static void slots(
      Placement placement, Slots slots, int first, Bytes key, Scope scope, ElementSink into) {
    boolean address = scope == Scope.ADDRESS;
    Container endpoints = address ? Container.ENDPOINTS : Container.NODE_PORT_ENDPOINTS;
    Container sticky = address ? Container.STICKY_SLOTS : Container.NODE_PORT_STICKY_SLOTS;
    for (int slot = 0; slot < slots.endpoints().size(); slot++) {
      Bytes endpoint = slots.endpoints().get(slot);
      Bytes slotKey = key.join32(first + slot);
      Integer number = placement.numbers().get(endpoint);
      if (number == null) {
        into.put(endpoints, Element.of(slotKey, endpoint));
      } else {
        into.put(sticky, Element.of(slotKey, Number.bytes(number)));
        into.put(endpoints, Element.of(key.join32(number), endpoint));
      }
    }
  }

  /// The ranges without those inside another: the kernel refuses overlapping ones.
  static List<Cidr> disjoint(List<Cidr> ranges) {
    return ranges.stream()
        .map(Cidr::masked)
        .distinct()
        .filter(
            range ->
                ranges.stream()
                    .map(Cidr::masked)
                    .noneMatch(other -> !other.equals(range) && other.contains(range)))
        .toList();
  }

  /// Addresses this service port uses together with others: its cluster IP.
  static IpAddress clusterIp(ServicePlan plan) {
    return plan.port().clusterIp();
  }

  /// Endpoints on this node, which may call themselves.
  static List<IpAddress> localEndpoints(ServicePlan plan) {
    List<IpAddress> addresses = new ArrayList<>();
    for (Backend backend : plan.choice().all()) {
      if (backend.local() && !addresses.contains(backend.address())) {
        addresses.add(backend.address());
      }
    }
    return addresses;
  }
}
