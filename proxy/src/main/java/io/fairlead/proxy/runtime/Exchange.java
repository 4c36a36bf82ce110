package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Pacer;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.NodeFacts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts the planes of another mode in the place of the present ones, in three steps: all new rules
/// are written beside the old ones; then family after family is handed over; then the old rules go.
/// What can fail, fails in the first step, and leaves everything as it was.
///
/// Between the last two steps connections that only the old rules can carry get a moment to end.
final class Exchange {
  private static final Logger log = LoggerFactory.getLogger(Exchange.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration GLANCE = Duration.ofMillis(50);

  private final Map<IpAddress.Family, SyncLoop> loops;
  private final String former;
  private final String mode;
  private final Pacer pacer;
  private final Map<IpAddress.Family, DataPlane> replaced = new EnumMap<>(IpAddress.Family.class);
  private final List<String> left = new ArrayList<>();

  /// What comes for a family.
  ///
  /// @param facts about the node, as the new mode sees it
  private record Next(DataPlane plane, NodeFacts facts) {}

  /// @param former the mode in charge, which stays so when the first step fails
  Exchange(Map<IpAddress.Family, SyncLoop> loops, String former, String mode, Pacer pacer) {
    this.loops = loops;
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
  /// @return what of the former mode could not be taken away; empty when all was
  List<String> run(
      Map<IpAddress.Family, DataPlane> planes,
      Function<IpAddress.Family, NodeFacts> facts,
      Runnable between,
      Runnable inCharge) {
    Map<IpAddress.Family, Next> next = new EnumMap<>(IpAddress.Family.class);
    planes.forEach((family, plane) -> next.put(family, new Next(plane, facts.apply(family))));
    handOver(next, between);
    inCharge.run();
    clear();
    log.atInfo().addKeyValue("mode", mode).log("the mode has changed");
    return left;
  }

  private void handOver(Map<IpAddress.Family, Next> next, Runnable between) {
    loops.values().forEach(loop -> loop.hold(true));
    try {
      write(next, between);
      loops.forEach((family, loop) -> take(family, loop, next.get(family)));
    } finally {
      loops.values().forEach(loop -> loop.hold(false));
    }
  }

  private void write(Map<IpAddress.Family, Next> next, Runnable between) {
    try {
      next.forEach(
          (family, each) -> {
            SyncLoop loop = loops.get(family);
            if (loop != null) {
              loop.writeBeside(each.plane, each.facts);
            }
          });
      between.run();
    } catch (RuntimeException e) {
      next.values().forEach(each -> abandon(each.plane, former));
      // Modes share some names: what is in charge looks whether it has lost something.
      loops.values().forEach(SyncLoop::drifted);
      throw e;
    }
  }

  private void take(IpAddress.Family family, SyncLoop loop, @Nullable Next next) {
    if (next == null) {
      left.add(family + ": the mode cannot carry it");
      return;
    }
    try {
      replaced.put(family, loop.takeOver(next.plane, mode, next.facts));
    } catch (RuntimeException e) {
      abandon(next.plane, former);
      loop.drifted();
      left.add(family + ": " + e.getMessage());
    }
  }

  /// Takes the old rules away, as soon as nobody needs them.
  private void clear() {
    await();
    replaced.forEach(
        (family, plane) -> {
          SyncLoop loop = loops.get(family);
          String problem = loop == null ? "" : loop.dismiss(plane, mode);
          if (!problem.isEmpty()) {
            left.add(family + ": " + problem);
          }
        });
  }

  private void await() {
    try {
      for (Duration rest = PATIENCE; rest.isPositive() && carry(); rest = rest.minus(GLANCE)) {
        pacer.pause(GLANCE);
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

  private static void abandon(DataPlane plane, String former) {
    try {
      plane.removeBeside(former);
    } catch (RuntimeException e) {
      log.atWarn().setCause(e).log("rules of a mode that could not be had may be left");
    } finally {
      plane.close();
    }
  }
}
