package io.fairlead.insight.evidence;

import java.util.Optional;
import java.util.function.Function;

/// The answer to one question about the cluster: seen, or not seen and why. What judges takes
/// these, never nulls; what is not seen never becomes a fault.
///
/// @param <T> what was asked for
public sealed interface Evidence<T> permits Seen, Unseen {
  /// The node it is about; empty when it is about no node.
  String node();

  /// What was seen; empty when it was not.
  Optional<T> value();

  /// The same evidence about a part of it.
  <R> Evidence<R> map(Function<? super T, ? extends R> part);

  /// Whether it was seen.
  default boolean isSeen() {
    return value().isPresent();
  }
}
