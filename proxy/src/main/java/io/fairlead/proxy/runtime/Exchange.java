package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.NodeFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts the planes of another mode in the place of the present ones, in two steps: all new rules
/// are written beside the old ones; then family after family is handed over and the old rules go.
/// What can fail, fails in the first step, and leaves everything as it was.
final class Exchange {
  private static final Logger log = LoggerFactory.getLogger(Exchange.class);

  /// What comes for a family.
  ///
  /// @param facts about the node, as the new mode sees it
  record Next(DataPlane plane, NodeFacts facts) {}

  private Exchange() {}

  /// @param former the mode in charge, which stays so when the first step fails
  /// @return what of the former mode could not be taken away; empty when all was
  static List<String> run(
      Map<IpAddress.Family, SyncLoop> loops,
      String former,
      String mode,
      Map<IpAddress.Family, Next> next,
      Runnable between) {
    loops.values().forEach(loop -> loop.hold(true));
    try {
      return exchange(loops, former, mode, next, between);
    } finally {
      loops.values().forEach(loop -> loop.hold(false));
    }
  }

  private static List<String> exchange(
      Map<IpAddress.Family, SyncLoop> loops,
      String former,
      String mode,
      Map<IpAddress.Family, Next> next,
      Runnable between) {
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
    List<String> left = new ArrayList<>();
    loops.forEach(
        (family, loop) -> {
          Next each = next.get(family);
          String problem =
              each == null ? "the mode cannot carry it" : handOver(loop, former, mode, each);
          if (!problem.isEmpty()) {
            left.add(family + ": " + problem);
          }
        });
    return left;
  }

  private static String handOver(SyncLoop loop, String former, String mode, Next next) {
    try {
      return loop.takeOver(next.plane, mode, next.facts);
    } catch (RuntimeException e) {
      abandon(next.plane, former);
      loop.drifted();
      return String.valueOf(e.getMessage());
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
