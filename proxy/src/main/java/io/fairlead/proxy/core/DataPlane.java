package io.fairlead.proxy.core;

import io.fairlead.api.net.IpAddress;
import java.util.Optional;

/// What carries out plans of one family on a node. One implementation per mode, one fake.
///
/// Not thread-safe: one thread, the family's reconciler, calls it. A call that fails throws a
/// [DataPlaneException]; the state in the kernel is then some earlier plan or this one, and the
/// caller reconciles later.
public interface DataPlane extends AutoCloseable {

  /// Makes the kernel follow a plan. Costs what the difference is. The first call, and one after a
  /// failure, reads the kernel back as [#reconcile] does: it takes over what an earlier process
  /// left.
  ///
  /// @param change what leads to `desired` from the plan of the last call that succeeded
  ApplyResult apply(Plan desired, PlanDiff change);

  /// Makes the kernel follow a plan whatever it holds: reads it back and repairs what differs.
  ApplyResult reconcile(Plan desired);

  /// What the kernel really holds, with counters where the mode has them.
  DataPlaneSnapshot observe();

  /// Removes all that any process of this mode has put there, and nothing else. Fine when nothing
  /// is there.
  void removeAll();

  /// The same when another mode's rules are already in place. Modes that name something alike leave
  /// it to that one.
  ///
  /// @param successor the mode that has taken over
  default void removeBeside(ProxyMode successor) {
    removeAll();
  }

  /// Whether there are connections that end when this mode's part of the kernel goes, though
  /// another mode leads new ones already.
  default boolean carries() {
    return false;
  }

  /// Sets what runs when another program has changed or removed our rules. It runs on any thread,
  /// may run for nothing, and must not block. Modes that cannot notice never run it.
  default void onDrift(Runnable listener) {}

  /// The program that last changed our rules; empty when none did, or the mode cannot tell.
  default Optional<ForeignWriter> lastForeignWriter() {
    return Optional.empty();
  }

  /// What a relay of this mode did lately for a client's connection; empty where the kernel carries
  /// connections, and for one that is too long ago. From any thread.
  default Optional<RelayedChoice> relayed(IpAddress client, int clientPort) {
    return Optional.empty();
  }

  /// Lets go of sockets and threads. Rules stay: they serve traffic without the process.
  @Override
  void close();
}
