package io.fairlead.client.objects;

import java.util.List;

/// The fields of an object that a component reads. What is left out stays empty in the record and
/// costs no memory. Immutable; declare it as a constant.
public final class FieldMask {
  /// A group of fields that not every component needs.
  public enum Part {
    /// `uid`, `generation`, `creationTimestamp`, `deletionTimestamp` and `generateName`.
    IDENTITY,
    /// `ownerReferences` and `finalizers`.
    OWNERS,
    /// The selector of a Service.
    SELECTOR,
    /// The load balancer addresses of a Service.
    LOAD_BALANCER,
    /// `status.conditions`.
    CONDITIONS,
    /// Host name, zone and target of endpoints.
    TARGETS,
    /// The hints of endpoints.
    HINTS,
    /// The containers of a Pod, in its spec and in its status, and its readiness gates.
    CONTAINERS,
    /// What decides where a Pod may be: tolerations, affinity and the rest of the Pod; allocatable
    /// amounts and images of a Node.
    SCHEDULING;

    private int bit() {
      return 1 << ordinal();
    }
  }

  private static final String EVERY = "";

  /// Every field the records have.
  public static final FieldMask ALL = new FieldMask(-1, List.of(EVERY), List.of(EVERY));

  private final int parts;
  // Prefixes of the keys that are kept.
  private final List<String> labels;
  private final List<String> annotations;

  private FieldMask(int parts, List<String> labels, List<String> annotations) {
    this.parts = parts;
    this.labels = labels;
    this.annotations = annotations;
  }

  /// Name and version of the object, these parts, and the fields that belong to no part. No labels
  /// and no annotations.
  public static FieldMask of(Part... parts) {
    int bits = 0;
    for (Part part : parts) {
      bits |= part.bit();
    }
    return new FieldMask(bits, List.of(), List.of());
  }

  /// The same with the labels whose keys begin so.
  public FieldMask labels(String... keys) {
    return new FieldMask(parts, List.of(keys), annotations);
  }

  /// The same with all labels.
  public FieldMask allLabels() {
    return labels(EVERY);
  }

  /// The same with the annotations whose keys begin so.
  public FieldMask annotations(String... keys) {
    return new FieldMask(parts, labels, List.of(keys));
  }

  boolean has(Part part) {
    return (parts & part.bit()) != 0;
  }

  boolean hasLabel(String key) {
    return has(labels, key);
  }

  boolean hasAnnotation(String key) {
    return has(annotations, key);
  }

  private static boolean has(List<String> prefixes, String key) {
    for (int i = 0; i < prefixes.size(); i++) {
      if (key.startsWith(prefixes.get(i))) {
        return true;
      }
    }
    return false;
  }
}
