package io.fairlead.insight.evidence;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/// Evidence that was found.
///
/// @param node where it was found; empty when it is about no node
/// @param at when it was read
public record Seen<T>(T found, Source source, String node, Instant at) implements Evidence<T> {
  /// What the API server gave.
  public static <T> Seen<T> api(T found, Instant at) {
    return new Seen<>(found, Source.API, "", at);
  }

  @Override
  public Optional<T> value() {
    return Optional.of(found);
  }

  @Override
  public <R> Seen<R> map(Function<? super T, ? extends R> part) {
    return new Seen<>(part.apply(found), source, node, at);
  }
}
