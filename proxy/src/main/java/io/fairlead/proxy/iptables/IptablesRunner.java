package io.fairlead.proxy.iptables;

import io.fairlead.proxy.core.ForeignWriter;
import java.util.Optional;

/// The iptables tools of one family. Failures are [io.fairlead.proxy.core.DataPlaneException].
public interface IptablesRunner {

  /// Ends when closed.
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }

  /// Applies a document of `iptables-restore --noflush`: each table in it at once or not at all.
  void restore(String document);

  /// A table as `iptables-save -t TABLE` prints it.
  String save(String table);

  /// The same with the counters of every rule.
  String saveWithCounters(String table);

  /// Whether a chain is there. When that cannot be told, for the lock is held, it counts as there.
  boolean hasChain(String table, String chain);

  /// Reports changes that other programs make to our chains or to what leads to them, from any
  /// thread and possibly for nothing. Where the kernel reports none, the listener is never called.
  ///
  /// Watches the network namespace of the calling thread.
  default Watch watch(Runnable changed) {
    return () -> {};
  }

  /// The program whose change was last reported; empty when none was, or it cannot be told.
  default Optional<ForeignWriter> lastWriter() {
    return Optional.empty();
  }
}
