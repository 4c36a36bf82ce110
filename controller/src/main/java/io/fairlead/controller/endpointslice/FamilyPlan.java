package io.fairlead.controller.endpointslice;

import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.controller.serving.Service;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What to write so that a Service's slices of one family are right. Pure: made from what is, by
/// [#of], and carried out by [SliceWriter] in the order creates, updates, deletes.
///
/// @param zones how many endpoints proportional hints mean for each zone; empty without such hints
/// @param problems pods that should be published and cannot be
record FamilyPlan(
    List<SliceDraft> creates,
    List<SliceDraft> updates,
    List<Slice> deletes,
    List<ServiceEvent> notices,
    Map<String, Integer> zones,
    List<String> problems) {

  /// What a plan is made from besides the endpoints wanted.
  ///
  /// @param slices those of the family that are managed by us and not being deleted
  /// @param hinted the Service had proportional hints when it was last looked at
  /// @param most endpoints a slice may hold
  record Input(Service service, List<Slice> slices, ZoneShares shares, boolean hinted, int most) {}

  static FamilyPlan of(Input given, Family family, DesiredSliceEndpoints wanted) {
    Service service = given.service();
    String addressType = family.toString();
    Packing packing = new Packing(service, addressType, given.most());
    Map<Set<SlicePort>, List<Slice>> present = new LinkedHashMap<>();
    for (Slice slice : given.slices()) {
      if (slice.ownedBy(service.metadata().uid())) {
        present.computeIfAbsent(slice.portSet(), _ -> new ArrayList<>()).add(slice);
      } else if (!service.metadata().beingDeleted()) {
        // Left by an earlier Service of that name. One that is going may just have been asked to
        // leave its slices behind, and they no longer name it as their owner.
        packing.deletes.add(slice);
      }
    }
    wanted
        .groups()
        .forEach(
            (ports, group) -> {
              List<Slice> existing = present.remove(ports);
              packing.pack(
                  group.ports(), existing == null ? List.of() : existing, group.endpoints());
            });
    present.values().forEach(packing.deletes::addAll);
    keepOne(packing, service, addressType);
    List<ServiceEvent> notices = new ArrayList<>();
    Map<String, Integer> zones = hint(given, packing, addressType, notices);
    recycle(packing, service);
    return new FamilyPlan(
        packing.creates, packing.updates, packing.deletes, notices, zones, wanted.problems());
  }

  /// Nothing but the removal of slices.
  static FamilyPlan removal(List<Slice> slices) {
    return new FamilyPlan(List.of(), List.of(), slices, List.of(), Map.of(), List.of());
  }

  boolean isEmpty() {
    return creates.isEmpty() && updates.isEmpty() && deletes.isEmpty();
  }

  /// A family has always one slice, if need be one that says "nothing here".
  private static void keepOne(Packing packing, Service service, String addressType) {
    boolean none =
        packing.creates.isEmpty() && packing.updates.isEmpty() && packing.unchanged.isEmpty();
    if (!none) {
      return;
    }
    SliceDraft placeholder = SliceDraft.fresh(addressType, List.of());
    boolean there =
        packing.deletes.size() == 1 && placeholder.isAlready(packing.deletes.getFirst(), service);
    if (there) {
      packing.unchanged.add(packing.deletes.removeFirst());
    } else {
      packing.creates.add(placeholder);
    }
  }

  private static Map<String, Integer> hint(
      Input given, Packing packing, String addressType, List<ServiceEvent> notices) {
    HintStrategy hinting = HintStrategy.of(given.service());
    if (given.hinted() && !(hinting instanceof HintStrategy.Proportional)) {
      notices.add(
          ServiceEvent.hintsDisabled("Topology Aware Hints has been disabled", addressType));
    }
    switch (hinting) {
      case HintStrategy.None() -> HintStrategy.remove(packing);
      case HintStrategy.Own(boolean nodes) -> HintStrategy.giveOwn(packing, nodes);
      case HintStrategy.Proportional() -> {
        ProportionalHints.Outcome outcome =
            ProportionalHints.give(packing, addressType, given.shares(), given.hinted());
        notices.addAll(outcome.notices());
        return outcome.zones();
      }
    }
    return Map.of();
  }

  /// Lets a slice that is made take the place of one that is deleted: one write instead of two. A
  /// slice of another Service's is never taken.
  private static void recycle(Packing packing, Service service) {
    List<Slice> foreign = new ArrayList<>();
    while (!packing.creates.isEmpty() && !packing.deletes.isEmpty()) {
      Slice unneeded = packing.deletes.removeFirst();
      if (unneeded.ownedBy(service.metadata().uid())) {
        packing.updates.add(packing.creates.removeFirst().inPlaceOf(unneeded));
      } else {
        foreign.add(unneeded);
      }
    }
    packing.deletes.addAll(0, foreign);
  }
}
