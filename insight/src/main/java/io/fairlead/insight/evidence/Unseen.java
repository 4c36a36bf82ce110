package io.fairlead.insight.evidence;

import java.util.Optional;
import java.util.function.Function;

/// Evidence that could not be had.
///
/// @param node where it was looked for; empty when it is about no node
public record Unseen<T>(Why why, String node) implements Evidence<T> {
  /// About no node in particular.
  public static <T> Unseen<T> of(Why why) {
    return new Unseen<>(why, "");
  }

  @Override
  public Optional<T> value() {
    return Optional.empty();
  }

  @Override
  public <R> Unseen<R> map(Function<? super T, ? extends R> part) {
    return new Unseen<>(why, node);
  }
}
