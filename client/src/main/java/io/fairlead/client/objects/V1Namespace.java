package io.fairlead.client.objects;

import io.fairlead.api.json.JsonTokenReader;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import tools.jackson.core.JsonParser;

/// A Namespace as the API has it. Immutable.
public record V1Namespace(ObjectMeta metadata) implements HasMetadata {
  /// Reads one.
  ///
  /// @param in at the token where the object begins
  public static V1Namespace read(JsonParser in, FieldMask mask) {
    MetadataReader metadata = new MetadataReader(mask);
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      if (it.equals("metadata")) {
        metadata.read(in);
      }
    }
    return new V1Namespace(metadata.metadata());
  }
}
