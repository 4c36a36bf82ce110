package io.fairlead.dns.plugin;

import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.QueryView;
import java.util.List;
import java.util.random.RandomGenerator;

/// A plugin with compiled answers. The thread that received a query copies them into the reply,
/// without a chain, when all plugins before it let its data pass ([ChainPlugin#passesOwnData]).
public interface FastPathAnswers {
  /// The zones its answers are about.
  List<Name> ownZones();

  /// A lookup for one thread.
  FastPathLookup lookup(RandomGenerator random);

  /// Owned by one thread.
  interface FastPathLookup {
    /// Writes the reply to a question of class IN without EDNS options, as the chain would give it.
    ///
    /// @param limit the most bytes the client can take
    /// @param udpSize what to say that we can take
    /// @return the reply's length; 0 when the chain has to be asked
    int answer(QueryView query, byte[] reply, int limit, int udpSize);
  }
}
