package io.fairlead.server.cel;

import org.jspecify.annotations.Nullable;

/// The types of the objects that expressions may make, by their names: `Object.spec{...}`.
@FunctionalInterface
public interface CelObjectTypes {
  /// No objects.
  CelObjectTypes NONE = _ -> null;

  /// The type of that name; null when there is none.
  @Nullable CelType find(String name);
}
