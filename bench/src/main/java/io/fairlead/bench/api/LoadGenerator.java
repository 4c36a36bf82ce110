package io.fairlead.bench.api;

/// Clients that use a server as hard as they can. One answer that is not right voids the run.
interface LoadGenerator {
  /// @param perSecond answers a second, all clients together
  /// @param p50 half of the answers took no longer, microseconds
  /// @param p99 all but one in a hundred took no longer, microseconds
  record Result(double perSecond, double p50, double p99) {}

  /// Creates about that many Services with names of their own.
  ///
  /// @param dryRun everything but the commit
  Result create(int clients, int count, boolean dryRun) throws Exception;

  /// Creates Services for that many seconds, as fast as they are answered.
  Result createFor(int clients, int seconds) throws Exception;

  /// Reads one path again and again for that many seconds.
  Result get(int clients, int seconds, String path) throws Exception;
}
