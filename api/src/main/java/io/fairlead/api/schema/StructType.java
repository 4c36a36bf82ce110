package io.fairlead.api.schema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An object with known fields, such as `io.k8s.api.core.v1.ServiceSpec`. Immutable once linked;
/// [#link] is called once, by the reader that builds the schema.
public final class StructType implements Type {
  /// An object of any members, each of which may be anything: what a custom resource keeps without
  /// knowing it.
  public static final StructType FREE = new StructType("", "", false, null);

  private final String name;
  private final String description;
  private final boolean atomic;
  private Map<String, Field> fields = Map.of();
  private List<Field> inlined = List.of();
  private Map<Integer, Field> numbered = Map.of();
  private final @Nullable Type others;
  // Made by the thread that needs it first; two threads may both make it, with equal content.
  private volatile @Nullable Object derived;

  public StructType(String name, String description) {
    this(name, description, false);
  }

  /// A struct that is `atomic` is owned as one value by server-side apply.
  public StructType(String name, String description, boolean atomic) {
    this(name, description, atomic, null);
  }

  /// A struct that also has members without a field, all of one type.
  ///
  /// @param others that type; null when there are none
  public StructType(String name, String description, boolean atomic, @Nullable Type others) {
    this.others = others;
    this.name = name;
    this.description = description;
    this.atomic = atomic;
  }

  /// Gives the struct its fields, in the order in which they shall be listed. Fields marked as
  /// inlined are kept apart: JSON does not know them.
  public StructType link(Collection<Field> members) {
    Map<String, Field> linked = new LinkedHashMap<>();
    List<Field> nested = new ArrayList<>();
    Map<Integer, Field> byNumber = new HashMap<>();
    for (Field field : members) {
      if (field.inlined()) {
        nested.add(field);
      } else {
        linked.put(field.name(), field);
      }
      if (field.number() > 0) {
        byNumber.put(field.number(), field);
      }
    }
    fields = linked;
    inlined = List.copyOf(nested);
    numbered = byNumber;
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

  /// The members of the JSON object, those of flattened messages included.
  public Collection<Field> fields() {
    return fields.values();
  }

  /// Messages that protobuf nests here and JSON flattens, such as the source of a Volume. Their
  /// fields are among [#fields] too, with the number 0.
  public Collection<Field> inlined() {
    return inlined;
  }

  /// The field with that protobuf number, inlined ones included, or null.
  public @Nullable Field numbered(int number) {
    return numbered.get(number);
  }

  /// Whether server-side apply treats a value of this struct as one leaf (`x-kubernetes-map-type:
  /// atomic`). For fields [Field#merge()] says so already; this is for items of lists.
  public boolean atomic() {
    return atomic;
  }

  /// The type of members that have no field; null when there can be none.
  public @Nullable Type others() {
    return isFree() ? this : others;
  }

  /// Whether it says nothing of its members.
  public boolean isFree() {
    return this == FREE;
  }

  /// What was worked out from this struct once, kept as long as the struct is. Always asked for
  /// with the same maker.
  public <T> T derived(Class<T> type, Function<StructType, T> maker) {
    Object made = derived;
    if (made == null) {
      made = maker.apply(this);
      derived = made;
    }
    return type.cast(made);
  }

  @Override
  public String toString() {
    return name;
  }
}
