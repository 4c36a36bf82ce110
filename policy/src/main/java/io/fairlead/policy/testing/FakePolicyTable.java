package io.fairlead.policy.testing;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.policy.core.Direction;
import io.fairlead.policy.core.Grant;
import io.fairlead.policy.core.PlanChange;
import io.fairlead.policy.core.PlanKey;
import io.fairlead.policy.core.PlanValue;
import io.fairlead.policy.core.PolicyPlan;
import io.fairlead.policy.core.PolicySet;
import io.fairlead.policy.core.PolicyTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A table without a kernel: the same sets, refused changes where the kernel refuses them, and
/// packets that walk the chains look-up by look-up.
public final class FakePolicyTable implements PolicyTable {
  /// Where a packet ends.
  public enum Verdict {
    PASSED,
    EGRESS_DENIED,
    INGRESS_DENIED,
    UNKNOWN
  }

  /// The first packet of a connection.
  public record Packet(IpAddress source, IpAddress destination, int protocol, int port) {
    Packet mirrored() {
      return new Packet(destination, source, protocol, port);
    }
  }

  private static final int EVERYTHING = 1;

  private final List<Cidr> podRanges;
  private final Map<PolicySet, Map<PlanKey, PlanValue>> sets = new EnumMap<>(PolicySet.class);
  private final Map<Direction, Map<IpAddress, Long>> drops = new EnumMap<>(Direction.class);
  private long unknown;

  /// @param podRanges of the node, for the gate
  public FakePolicyTable(List<Cidr> podRanges) {
    this.podRanges = List.copyOf(podRanges);
    remove();
  }

  private Map<PlanKey, PlanValue> set(PolicySet set) {
    return sets.computeIfAbsent(set, _ -> new HashMap<>());
  }

  @Override
  public Numbers numbers() {
    Map<IpAddress, Integer> classes = new HashMap<>();
    set(PolicySet.CLASSES)
        .forEach((key, value) -> classes.put(((PlanKey.OfAddress) key).address(), value.number()));
    set(PolicySet.BLOCKS)
        .forEach((key, value) -> classes.put(((PlanKey.OfRange) key).first(), value.number()));
    Map<Integer, List<Grant.Ports>> ports = new HashMap<>();
    for (PolicySet set : List.of(PolicySet.PORTS, PolicySet.PORT_RANGES)) {
      for (PlanKey key : set(set).keySet()) {
        PlanKey.OfPorts one = (PlanKey.OfPorts) key;
        ports.computeIfAbsent(one.number(), _ -> new ArrayList<>()).add(one.ports());
      }
    }
    Map<Grant, Integer> grants = new HashMap<>();
    ports.forEach((number, ranges) -> grants.put(new Grant(false, ranges), number));
    return new Numbers(classes, grants);
  }

  @Override
  public int reconcile(PolicyPlan plan) {
    int changes = 0;
    for (PolicySet set : PolicySet.values()) {
      Map<PlanKey, PlanValue> wanted = plan.of(set);
      if (!set(set).equals(wanted)) {
        changes++;
        set(set).clear();
        set(set).putAll(wanted);
      }
    }
    return changes;
  }

  @Override
  public void apply(PlanChange change) {
    for (PolicySet set : PolicySet.values()) {
      for (PlanChange.Element element : change.of(set)) {
        PlanValue now = set(set).get(element.key());
        if (!java.util.Objects.equals(now, element.before())) {
          throw new IllegalStateException(
              "refused: " + set + " has " + now + " for " + element.key());
        }
      }
    }
    for (PolicySet set : PolicySet.values()) {
      for (PlanChange.Element element : change.of(set)) {
        if (element.after() == null) {
          set(set).remove(element.key());
        } else {
          set(set).put(element.key(), element.after());
        }
      }
    }
  }

  /// What it holds.
  public PolicyPlan plan(IpAddress.Family family) {
    return new PolicyPlan(family, sets);
  }

  @Override
  public Counters counters() {
    return new Counters(Map.copyOf(drops), unknown, 0, 0);
  }

  @Override
  public void remove() {
    sets.clear();
  }

  @Override
  public void close() {
    // Nothing is open.
  }

  /// The way of a packet through the chains of section 4.1.
  public Verdict walk(Packet packet) {
    Verdict egress = side(packet, Direction.EGRESS);
    return egress == Verdict.PASSED ? side(packet.mirrored(), Direction.INGRESS) : egress;
  }

  /// One direction; the local pod is the source of `packet`, the peer its destination.
  private Verdict side(Packet packet, Direction direction) {
    Integer anyone = number(anyone(direction), address(packet.source()));
    if (anyone == null) {
      if (set(PolicySet.PODS).containsKey(address(packet.source()))
          || podRanges.stream().noneMatch(range -> range.contains(packet.source()))) {
        return Verdict.PASSED;
      }
      unknown++;
      return Verdict.UNKNOWN;
    }
    int grant = anyone == EVERYTHING ? EVERYTHING : grant(packet, direction, anyone);
    if (grant == EVERYTHING || allows(grant, packet)) {
      return Verdict.PASSED;
    }
    if (packet.source().equals(packet.destination())
        && set(PolicySet.SELVES).containsKey(address(packet.source()))) {
      return Verdict.PASSED;
    }
    drops.computeIfAbsent(direction, _ -> new HashMap<>()).merge(packet.source(), 1L, Long::sum);
    return direction == Direction.EGRESS ? Verdict.EGRESS_DENIED : Verdict.INGRESS_DENIED;
  }

  private int grant(Packet packet, Direction direction, int anyone) {
    boolean egress = direction == Direction.EGRESS;
    PolicySet grants = egress ? PolicySet.EGRESS_GRANTS : PolicySet.INGRESS_GRANTS;
    Integer podClass = number(PolicySet.CLASSES, address(packet.destination()));
    if (podClass != null) {
      Integer own = number(grants, new PlanKey.OfPair(podClass, packet.source()));
      if (own != null) {
        return own;
      }
      Integer anypod =
          number(
              egress ? PolicySet.EGRESS_ANYPOD : PolicySet.INGRESS_ANYPOD,
              address(packet.source()));
      return anypod == null ? anyone : anypod;
    }
    Integer block = block(packet.destination());
    Integer own = block == null ? null : number(grants, new PlanKey.OfPair(block, packet.source()));
    return own == null ? anyone : own;
  }

  private static PolicySet anyone(Direction direction) {
    return direction == Direction.EGRESS ? PolicySet.EGRESS_ANYONE : PolicySet.INGRESS_ANYONE;
  }

  private @Nullable Integer block(IpAddress address) {
    for (Map.Entry<PlanKey, PlanValue> each : set(PolicySet.BLOCKS).entrySet()) {
      PlanKey.OfRange range = (PlanKey.OfRange) each.getKey();
      if (range.first().compareTo(address) <= 0 && range.last().compareTo(address) >= 0) {
        return each.getValue().number();
      }
    }
    return null;
  }

  private boolean allows(int grant, Packet packet) {
    if (set(PolicySet.PORTS)
        .containsKey(
            new PlanKey.OfPorts(
                grant, new Grant.Ports(packet.protocol(), packet.port(), packet.port())))) {
      return true;
    }
    for (PlanKey key : set(PolicySet.PORT_RANGES).keySet()) {
      PlanKey.OfPorts range = (PlanKey.OfPorts) key;
      if (range.number() == grant
          && range.ports().protocol() == packet.protocol()
          && range.ports().first() <= packet.port()
          && range.ports().last() >= packet.port()) {
        return true;
      }
    }
    return false;
  }

  private static PlanKey address(IpAddress address) {
    return new PlanKey.OfAddress(address);
  }

  private @Nullable Integer number(PolicySet set, PlanKey key) {
    PlanValue value = set(set).get(key);
    return value == null ? null : value.number();
  }
}
