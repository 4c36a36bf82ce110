package io.fairlead.dns.plugin;

import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.QueryView;
import java.util.List;
import java.util.random.RandomGenerator;

/// A plugin whose answers lie ready and are copied on the thread that received the question,
/// without a chain, when all plugins before it let its data pass ([ChainPlugin#passesOwnData]).
public interface ReadyAnswers {
  /// The zones its answers are about.
  List<Name> ownZones();

  /// A look-up for one thread.
  ReadyLookup lookup(RandomGenerator random);

  /// Owned by one thread.
  interface ReadyLookup {
    /// Writes the reply to a question of class IN without EDNS options, as the chain would give it.
    ///
    /// @param limit the most bytes the client can take
    /// @param udpSize what to say that we can take
    /// @return the reply's length; 0 when the chain has to be asked
    int answer(QueryView query, byte[] reply, int limit, int udpSize);
  }
}
