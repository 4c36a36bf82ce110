package io.fairlead.server.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// All objects of a kind that configures the server, by name, each read once for as long as none
/// changes. While there is none, asking costs the read of one volatile field. Safe for many
/// threads; two that ask first after a change may both read.
///
/// @param <T> what an object is read as, in parts
public final class CompiledObjects<T> {
  private final @Nullable ObjectCache cache;
  private final Function<ObjectNode, List<T>> compiler;
  private volatile Compiled<T> compiled = new Compiled<>(-1, List.of());

  private record Compiled<T>(long at, List<T> parts) {}

  /// @param cache null when the server does not serve the kind
  public CompiledObjects(@Nullable ObjectCache cache, Function<ObjectNode, List<T>> compiler) {
    this.cache = cache;
    this.compiler = compiler;
  }

  /// The parts of all, in the order of the objects' names.
  public List<T> all() {
    if (cache == null) {
      return List.of();
    }
    long changed = cache.changedAt();
    Compiled<T> known = compiled;
    if (known.at() == changed) {
      return known.parts();
    }
    List<T> parts = new ArrayList<>();
    ListQuery query = new ListQuery(SelectionPredicate.namespace(""), "0", "", 0, "");
    for (CachedObject object : cache.list(query).items()) {
      parts.addAll(compiler.apply(object.tree()));
    }
    List<T> made = List.copyOf(parts);
    compiled = new Compiled<>(changed, made);
    return made;
  }
}
