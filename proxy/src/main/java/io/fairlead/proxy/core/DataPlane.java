package io.fairlead.proxy.core;

/// What carries out plans of one family on a node. One implementation per mode, one fake.
///
/// Not thread-safe: one thread, the family's sync loop, calls it. A call that fails throws a
/// [DataPlaneException]; the state in the kernel is then some earlier plan or this one, and the
/// caller reconciles later.
public interface DataPlane extends AutoCloseable {

  /// Makes the kernel follow a plan, starting from the one applied last; the first call takes over
  /// whatever an earlier process left. Costs what the difference is.
  Applied apply(Plan desired);

  /// The same, but trusts nothing: reads the kernel back and repairs what differs.
  Applied reconcile(Plan desired);

  /// What is really there, with counters where the mode has them.
  Observed observe();

  /// Removes all that any process of this mode has put there, and nothing else. Fine when nothing
  /// is there.
  void removeAll();

  /// The same when another mode's rules are already in place. Modes that name something alike leave
  /// it to that one.
  ///
  /// @param successor the name of the mode that has taken over
  default void removeBeside(String successor) {
    removeAll();
  }

  /// Whether connections are on their way that end when this mode's part of the kernel goes, though
  /// new ones are led by another mode already.
  default boolean carries() {
    return false;
  }

  /// Asks to be told when somebody else changed or removed our rules. The listener is called from
  /// any thread, may be called for nothing, and must not block. Modes that cannot notice never
  /// call.
  default void onDrift(Runnable listener) {}

  /// Lets go of sockets and threads. Rules stay: they serve traffic without the process.
  @Override
  void close();
}
