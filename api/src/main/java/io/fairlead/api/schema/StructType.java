package io.fairlead.api.schema;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An object with known fields, such as `io.k8s.api.core.v1.ServiceSpec`. Immutable once linked;
/// [#link] is called once by whoever builds the schema.
public final class StructType implements Type {
  private final String name;
  private final String description;
  private Map<String, Field> fields = Map.of();

  public StructType(String name, String description) {
    this.name = name;
    this.description = description;
  }

  /// Gives the struct its fields, in the order in which they shall be listed.
  public StructType link(Collection<Field> members) {
    Map<String, Field> linked = new LinkedHashMap<>();
    for (Field field : members) {
      linked.put(field.name(), field);
    }
    fields = linked;
    return this;
  }

  /// The dotted upstream name, `io.k8s.api.core.v1.ServiceSpec`.
  public String name() {
    return name;
  }

  public String description() {
    return description;
  }

  /// The field with that JSON name, or null when the struct has none.
  public @Nullable Field field(String jsonName) {
    return fields.get(jsonName);
  }

  public Collection<Field> fields() {
    return fields.values();
  }

  @Override
  public String toString() {
    return name;
  }
}
