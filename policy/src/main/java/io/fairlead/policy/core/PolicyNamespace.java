package io.fairlead.policy.core;

import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.RawObject;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1Namespace;
import java.util.Map;

/// A namespace: its labels are what selectors look at.
public record PolicyNamespace(ObjectMeta metadata) implements HasMetadata {
  private static final FieldMask FIELDS = FieldMask.of(FieldMask.Part.IDENTITY).allLabels();
  static final String NAME_LABEL = "kubernetes.io/metadata.name";

  public static PolicyNamespace read(RawObject object) {
    return new PolicyNamespace(object.read(in -> V1Namespace.read(in, FIELDS)).metadata());
  }

  public String name() {
    return metadata.name();
  }

  public Map<String, String> labels() {
    return metadata.labels();
  }

  /// What is known of a namespace that has not been seen.
  static Map<String, String> unseen(String name) {
    return Map.of(NAME_LABEL, name);
  }
}
