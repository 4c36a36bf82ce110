package io.fairlead.api.schema;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// All types of the Kubernetes API that Fairlead knows, by name.
///
/// ```java
/// StructType service = Schemas.kubernetes().struct("io.k8s.api.core.v1.Service");
/// ```
///
/// Names, field numbers and texts come from a resource that the build extracts from the Kubernetes
/// client libraries (module `schema`); pointers and merge rules come from `facts.txt`. Immutable.
public final class Schemas {
  private final Map<String, StructType> structs;

  Schemas(Map<String, StructType> structs) {
    this.structs = Collections.unmodifiableMap(new LinkedHashMap<>(structs));
  }

  /// The types of the Kubernetes API. Loaded at the first call, in some 50 ms.
  public static Schemas kubernetes() {
    return Kubernetes.SCHEMAS;
  }

  /// The struct of that name. Throws when there is none: ask [#find] when that may happen.
  public StructType struct(String name) {
    StructType found = structs.get(name);
    if (found == null) {
      throw new IllegalArgumentException("no schema is called " + name);
    }
    return found;
  }

  public @Nullable StructType find(String name) {
    return structs.get(name);
  }

  /// All structs, sorted by name.
  public Collection<StructType> all() {
    return structs.values();
  }

  /// Loads on first use, once, without a lock of our own.
  private static final class Kubernetes {
    private static final Schemas SCHEMAS = load();

    private static Schemas load() {
      List<String> facts =
          SchemaResourceReader.lines(Schemas.class.getResourceAsStream("facts.txt"), "facts.txt");
      String name = "io/fairlead/schema/kubernetes.schema";
      List<String> lines =
          SchemaResourceReader.lines(
              Schemas.class.getClassLoader().getResourceAsStream(name), name);
      // The one group that the libraries do not describe.
      lines.addAll(
          SchemaResourceReader.lines(
              Schemas.class.getResourceAsStream("apiregistration.schema"),
              "apiregistration.schema"));
      return new SchemaReader(new SchemaSupplement(facts)).read(lines);
    }
  }
}
