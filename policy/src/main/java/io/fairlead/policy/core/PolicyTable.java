package io.fairlead.policy.core;

import io.fairlead.api.net.IpAddress;
import java.util.Map;

/// The table of one family in the kernel, or a fake with the same semantics. Used by one thread at
/// a time.
public interface PolicyTable extends AutoCloseable {
  /// What has been counted since the table was made.
  ///
  /// @param drops packets dropped, by local pod
  /// @param unknown packets of unknown pods
  /// @param spoofed packets from interfaces that do not lead to their source
  /// @param cut packets of connections that were cut
  record Counters(
      Map<Direction, Map<IpAddress, Long>> drops, long unknown, long spoofed, long cut) {}

  /// The numbers in use.
  ///
  /// @param classes by an address that has the class, or the first of a range
  record Numbers(Map<IpAddress, Integer> classes, Map<Grant, Integer> grants) {}

  /// The numbers the kernel has now; none when there is no table.
  Numbers numbers();

  /// Makes the table hold exactly this plan: reads it back and writes the difference, in one
  /// transaction.
  ///
  /// @return how many objects and elements were written
  int reconcile(PolicyPlan plan);

  /// Writes a change of the plan that the table holds, whole or not at all.
  void apply(PlanChange change);

  Counters counters();

  /// Takes the table away, if it is there.
  void remove();

  @Override
  void close();
}
