package io.fairlead.proxy.announce;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.route.HardwareAddress;
import io.fairlead.proxy.announce.AddressOwnership.NodeView;
import io.fairlead.proxy.announce.HeldAddress.Phase;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Decides for one node which addresses it takes, answers for and lets go. Does nothing itself: it
/// calls its [Effects], so that histories can be run through it with any time.
///
/// How it works: [#step] applies the rule of [AddressOwnership] to every address. One that is to be
/// taken goes into the node's Lease first and is answered for when that is written, so that others
/// know before neighbours do; one that no node had yet is asked for before that. Whether a held
/// address is answered for is the business of [HolderCertainty]. An address that is let go in order
/// leaves the Lease first and is answered for until a successor is seen.
///
/// Not safe for several threads.
final class AnnouncerCore {
  static final Duration HAND_OVER = Duration.ofSeconds(2);
  private static final long BLOCKED_FOR = Duration.ofSeconds(30).toNanos();

  /// What is done about addresses.
  interface Effects {
    /// Tells all neighbours that it is here.
    void announce(IpAddress address);

    /// Asks the network who has it.
    void probe(IpAddress address);

    /// What the Lease is to say has changed.
    void leaseChanged();

    /// This node answers for it from now on.
    void took(IpAddress address, AddressDemand demand, boolean first);

    /// A machine that is no node has it.
    void inUse(IpAddress address, HardwareAddress by);
  }

  private final Effects effects;
  private final Map<IpAddress, HeldAddress> held = new TreeMap<>();
  // Addresses that a machine has which is no node, and until when they are left alone.
  private final Map<IpAddress, Long> blocked = new HashMap<>();
  private final Set<IpAddress> announcedBefore = new HashSet<>();
  private AnnouncerView view;
  private boolean ending;
  // Whether something other than the view calls for new decisions.
  private boolean changed = true;

  AnnouncerCore(AnnouncerView first, Effects effects) {
    this.view = first;
    this.effects = effects;
  }

  /// Looks at everything again. To be called on every change, and often enough for what waits.
  void step(AnnouncerView now, long time) {
    Set<IpAddress> before = listed();
    expire(time);
    boolean unblocked = blocked.values().removeIf(until -> until - time <= 0);
    if (!now.equals(view) || unblocked || changed) {
      changed = false;
      view = now;
      announcedBefore.addAll(now.everAnnounced());
      announcedBefore.retainAll(now.demands().keySet());
      blocked.keySet().retainAll(now.demands().keySet());
      // No rule carries these any more.
      held.keySet().retainAll(now.demands().keySet());
      now.demands().forEach((address, demand) -> decide(address, demand, time));
    }
    for (Map.Entry<IpAddress, HeldAddress> each : new TreeMap<>(held).entrySet()) {
      act(each.getKey(), each.getValue(), time);
    }
    if (!before.equals(listed())) {
      effects.leaseChanged();
    }
  }

  /// Lets go of what may not be answered for any more. Before a Lease is written, so that a process
  /// that was stopped does not claim what others have taken meanwhile.
  private void expire(long time) {
    for (Map.Entry<IpAddress, HeldAddress> each : new TreeMap<>(held).entrySet()) {
      HeldAddress holding = each.getValue();
      if (holding.phase == Phase.HOLDING) {
        switch (holding.certainty.at(time)) {
          case OFF -> remove(each.getKey());
          case IN_DOUBT -> holding.doubt();
          case SURE -> {}
        }
      }
    }
  }

  private void remove(IpAddress address) {
    held.remove(address);
    changed = true;
  }

  private void decide(IpAddress address, AddressDemand demand, long time) {
    HeldAddress holding = held.get(address);
    boolean holds = holding != null && holding.isListed();
    boolean sure = holding != null && !holding.isDoubtful();
    if (holding != null && !sure) {
      if (view.isHeldElsewhere(address)) {
        // Taken while this node could not see it.
        held.remove(address);
        return;
      }
      if (view.showsOwn(address)) {
        holding.confirm();
        sure = true;
      }
    }
    Map<String, NodeView> nodes = view.nodes(address, demand, holds, sure);
    AddressOwnership decision =
        ending && !holds
            ? AddressOwnership.LEAVE
            : AddressOwnership.decide(view.node(), address, nodes);
    switch (decision) {
      case TAKE -> take(address, holding, demand, time);
      case KEEP -> {
        boolean asked = holding != null && holding.isToRebalance(demand.rebalance());
        if (ending || (asked && !isBest(address, nodes))) {
          leave(address, time);
        }
      }
      case DROP -> {
        if (view.isHeldElsewhere(address)) {
          held.remove(address);
        } else {
          leave(address, time);
        }
      }
      case LEAVE -> {
        if (holding != null && holding.phase == Phase.PROBING) {
          held.remove(address);
        }
      }
    }
  }

  private boolean isBest(IpAddress address, Map<String, NodeView> nodes) {
    return AnnounceRank.best(
            address,
            nodes.entrySet().stream()
                .filter(each -> each.getValue().candidate() && each.getValue().live())
                .map(Map.Entry::getKey)
                .toList())
        .filter(view.node()::equals)
        .isPresent();
  }

  private void leave(IpAddress address, long time) {
    HeldAddress holding = held.get(address);
    if (holding == null) {
      return;
    }
    if (holding.phase == Phase.HOLDING) {
      holding.enter(Phase.LEAVING, time);
    } else {
      held.remove(address);
    }
  }

  private void take(
      IpAddress address, @Nullable HeldAddress holding, AddressDemand demand, long time) {
    if (!view.isCurrent() || blocked.containsKey(address)) {
      return;
    }
    if (holding == null) {
      boolean first = !announcedBefore.contains(address);
      held.put(
          address,
          new HeldAddress(first ? Phase.PROBING : Phase.CLAIMING, time, demand.rebalance()));
    } else if (holding.phase == Phase.LEAVING) {
      holding.enter(Phase.CLAIMING, time);
    }
  }

  private void act(IpAddress address, HeldAddress holding, long time) {
    switch (holding.phase) {
      case PROBING -> {
        if (holding.probes(time)) {
          effects.probe(address);
        } else if (holding.isProbed(time)) {
          holding.enter(Phase.CLAIMING, time);
          announcedBefore.add(address);
        }
      }
      case CLAIMING -> {}
      case HOLDING -> {
        if (holding.certainty.isFading(time) && holding.doubts(time)) {
          effects.probe(address);
        }
        if (holding.announces(time)) {
          effects.announce(address);
        }
      }
      case LEAVING -> {
        if (view.isHeldElsewhere(address) || holding.hasBeenIn(HAND_OVER, time)) {
          remove(address);
        }
      }
    }
  }

  /// What the Lease is to list now.
  Set<IpAddress> toAnnounce(long time) {
    expire(time);
    return listed();
  }

  /// Of what the Lease is to list, the addresses that another may have taken unseen.
  Set<IpAddress> doubtful() {
    Set<IpAddress> doubtful = new TreeSet<>();
    held.forEach(
        (address, holding) -> {
          if (holding.isListed() && holding.isDoubtful()) {
            doubtful.add(address);
          }
        });
    return doubtful;
  }

  private Set<IpAddress> listed() {
    Set<IpAddress> listed = new TreeSet<>();
    held.forEach(
        (address, holding) -> {
          if (holding.isListed()) {
            listed.add(address);
          }
        });
    return listed;
  }

  /// A Lease that lists these was written.
  ///
  /// @param sureFor how long others believe it, with a margin
  /// @param began when the request was sent
  void leaseWritten(Set<IpAddress> announced, Duration sureFor, long began, long time) {
    expire(time);
    for (IpAddress address : announced) {
      HeldAddress holding = held.get(address);
      AddressDemand demand = view.demands().get(address);
      if (holding == null || !holding.isListed() || demand == null) {
        continue;
      }
      boolean starts = holding.phase == Phase.CLAIMING;
      if (holding.isDoubtful()) {
        // Sure only when what others wrote meanwhile has been seen.
        changed = true;
        continue;
      }
      holding.certainty.sureFor(sureFor);
      holding.certainty.renewed(began);
      if (starts) {
        boolean first = !view.everAnnounced().contains(address);
        holding.enter(Phase.HOLDING, time);
        if (holding.announces(time)) {
          effects.announce(address);
        }
        effects.took(address, demand, first);
      }
    }
  }

  /// A machine said that an address is its own.
  void claimed(IpAddress address, HardwareAddress by, long time) {
    expire(time);
    HeldAddress holding = held.get(address);
    if (holding == null) {
      return;
    }
    boolean foreign = !view.isNodes(by);
    switch (holding.phase) {
      case PROBING -> {
        if (foreign) {
          remove(address);
          blocked.put(address, time + BLOCKED_FOR);
          effects.inUse(address, by);
        }
      }
      case HOLDING -> {
        if (holding.certainty.at(time) == HolderCertainty.State.IN_DOUBT) {
          holding.certainty.heardAnother(time);
          expire(time);
          effects.leaseChanged();
        } else if (foreign && holding.defends(time)) {
          effects.announce(address);
          effects.inUse(address, by);
        }
      }
      case CLAIMING, LEAVING -> {}
    }
  }

  /// The addresses that are answered for, each with the moment until which that holds.
  Map<IpAddress, Long> answers(long time) {
    Map<IpAddress, Long> answers = new HashMap<>();
    held.forEach(
        (address, holding) -> {
          if (holding.phase == Phase.LEAVING) {
            answers.put(address, holding.since() + HAND_OVER.toNanos());
          } else if (holding.phase == Phase.HOLDING
              && holding.certainty.at(time) != HolderCertainty.State.OFF) {
            answers.put(address, holding.certainty.answersUntil());
          }
        });
    return answers;
  }

  /// The addresses that are left alone because a machine has them which is no node.
  Set<IpAddress> inUse() {
    return Set.copyOf(blocked.keySet());
  }

  /// How many addresses are held surely, in doubt, or not answered for any more.
  Map<String, Integer> certainties(long time) {
    Map<String, Integer> counts = new HashMap<>(Map.of("sure", 0, "doubt", 0, "off", 0));
    held.values().stream()
        .filter(holding -> holding.phase == Phase.HOLDING)
        .map(
            holding ->
                switch (holding.certainty.at(time)) {
                  case SURE -> "sure";
                  case IN_DOUBT -> "doubt";
                  case OFF -> "off";
                })
        .forEach(state -> counts.merge(state, 1, Integer::sum));
    return counts;
  }

  /// The addresses that frames of others may be about.
  Set<IpAddress> concerned() {
    return Set.copyOf(held.keySet());
  }

  /// All neighbours are to hear again of what is held: an interface came or changed.
  void announceAgain(long time) {
    held.values().forEach(holding -> holding.announceAgain(time));
  }

  /// Lets go of everything in order; nothing is taken any more.
  void end(long time) {
    ending = true;
    changed = true;
    for (IpAddress address : listed()) {
      AddressDemand demand = view.demands().get(address);
      if (demand != null && view.isCurrent() && view.hasOtherCandidate(address, demand)) {
        leave(address, time);
      } else {
        held.remove(address);
      }
    }
    held.values().removeIf(holding -> holding.phase == Phase.PROBING);
  }

  /// Whether nothing is held any more.
  boolean isIdle() {
    return held.isEmpty();
  }

  boolean isEnding() {
    return ending;
  }

  /// How an address stands on this node, for people; empty when it is not here.
  String phase(IpAddress address) {
    HeldAddress holding = held.get(address);
    return holding == null ? "" : holding.phase.name();
  }
}
