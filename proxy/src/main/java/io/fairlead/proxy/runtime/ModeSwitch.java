package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Replaces the planes of a running proxy by those of another mode, as `mode.ModeChange` asks for,
/// in three steps: all new rules are written beside the old ones; then family after family is
/// handed over; then the old rules go. What can fail, fails in the first step, and leaves
/// everything as it was.
///
/// Between the last two steps connections that only the old rules can carry get a moment to end.
final class ModeSwitch {
  private static final Logger log = LoggerFactory.getLogger(ModeSwitch.class);
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(5);
  private static final Duration DRAIN_CHECK = Duration.ofMillis(50);

  private final Map<IpAddress.Family, FamilyReconciler> reconcilers;
  private final ProxyMode former;
  private final ProxyMode mode;
  private final Pacer pacer;
  private final Map<IpAddress.Family, DataPlane> replaced = new EnumMap<>(IpAddress.Family.class);
  private final List<String> left = new ArrayList<>();

  /// @param former the mode in charge, which stays so when the first step fails
  ModeSwitch(
      Map<IpAddress.Family, FamilyReconciler> reconcilers,
      ProxyMode former,
      ProxyMode mode,
      Pacer pacer) {
    this.reconcilers = reconcilers;
    this.former = former;
    this.mode = mode;
    this.pacer = pacer;
  }

  /// All three steps. Throws [io.fairlead.proxy.core.DataPlaneException] when the new rules cannot
  /// be had.
  ///
  /// @param planes of the new mode
  /// @param facts about the node, as the new mode sees it
  /// @param between runs when the new rules are there, and before they are in charge
  /// @param inCharge runs when they are, and before the old rules go
  /// @return what of the former mode could not be removed; empty when all was
  List<String> run(
      Map<IpAddress.Family, DataPlane> planes,
      Function<IpAddress.Family, NodeFacts> facts,
      Runnable between,
      Runnable inCharge) {
    handOver(planes, facts, between);
    inCharge.run();
    clear();
    log.atInfo().addKeyValue("mode", mode).log("the mode has changed");
    return left;
  }

  private void handOver(
      Map<IpAddress.Family, DataPlane> planes,
      Function<IpAddress.Family, NodeFacts> facts,
      Runnable between) {
    reconcilers.values().forEach(reconciler -> reconciler.hold(true));
    try {
      Map<IpAddress.Family, FamilyReconciler.Successor> next = write(planes, facts, between);
      reconcilers.forEach((family, reconciler) -> take(family, reconciler, next.get(family)));
    } finally {
      reconcilers.values().forEach(reconciler -> reconciler.hold(false));
    }
  }

  private Map<IpAddress.Family, FamilyReconciler.Successor> write(
      Map<IpAddress.Family, DataPlane> planes,
      Function<IpAddress.Family, NodeFacts> facts,
      Runnable between) {
    Map<IpAddress.Family, FamilyReconciler.Successor> next = new EnumMap<>(IpAddress.Family.class);
    try {
      planes.forEach(
          (family, plane) -> {
            FamilyReconciler reconciler = reconcilers.get(family);
            if (reconciler != null) {
              next.put(family, reconciler.writeBeside(plane, mode, facts.apply(family)));
            }
          });
      between.run();
      return next;
    } catch (RuntimeException e) {
      planes.values().forEach(plane -> abandon(plane, former));
      // Modes share some names: the one in charge checks whether it has lost something.
      reconcilers.values().forEach(FamilyReconciler::drifted);
      throw e;
    }
  }

  private void take(
      IpAddress.Family family,
      FamilyReconciler reconciler,
      FamilyReconciler.@Nullable Successor next) {
    if (next == null) {
      left.add(family + ": the mode cannot carry it");
      return;
    }
    try {
      replaced.put(family, reconciler.takeOver(next));
    } catch (RuntimeException e) {
      abandon(next.plane(), former);
      reconciler.drifted();
      left.add(family + ": " + e.getMessage());
    }
  }

  /// Removes the old rules as soon as no connection needs them.
  private void clear() {
    await();
    replaced.forEach(
        (family, plane) -> {
          FamilyReconciler reconciler = reconcilers.get(family);
          String problem = reconciler == null ? "" : reconciler.dismiss(plane, mode);
          if (!problem.isEmpty()) {
            left.add(family + ": " + problem);
          }
        });
  }

  private void await() {
    try {
      for (Duration rest = DRAIN_LIMIT;
          rest.isPositive() && carry();
          rest = rest.minus(DRAIN_CHECK)) {
        pacer.pause(DRAIN_CHECK);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean carry() {
    try {
      return replaced.values().stream().anyMatch(DataPlane::carries);
    } catch (RuntimeException e) {
      log.atInfo().addKeyValue("why", e.getMessage()).log("not waiting for connections to end");
      return false;
    }
  }

  private static void abandon(DataPlane plane, ProxyMode former) {
    try {
      plane.removeBeside(former);
    } catch (RuntimeException e) {
      log.atWarn().setCause(e).log("rules of a mode that could not be had may be left");
    } finally {
      plane.close();
    }
  }
}
