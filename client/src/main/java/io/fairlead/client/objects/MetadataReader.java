package io.fairlead.client.objects;

import io.fairlead.api.json.JsonTokenReader;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.objects.FieldMask.Part;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/// Reads `metadata` from tokens. One for each object that is read.
final class MetadataReader {
  private final FieldMask mask;
  private Map<String, String> labels = Map.of();
  private Map<String, String> annotations = Map.of();
  private List<OwnerReference> owners = List.of();
  private List<String> finalizers = List.of();
  private String namespace = "";
  private String name = "";
  private String uid = "";
  private String version = "";
  private String created = "";
  private String generateName = "";
  private @Nullable String deleted;
  private long generation;

  MetadataReader(FieldMask mask) {
    this.mask = mask;
  }

  void read(JsonParser in) {
    boolean identity = mask.has(Part.IDENTITY);
    boolean owned = mask.has(Part.OWNERS);
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "namespace" -> namespace = JsonTokenReader.textOr(in, "").intern();
        case "name" -> name = JsonTokenReader.textOr(in, "");
        case "resourceVersion" -> version = JsonTokenReader.textOr(in, "");
        case "labels" -> labels = labels(in);
        case "annotations" -> annotations = annotations(in);
        default -> {
          if (identity) {
            identity(in, it);
          }
          if (owned) {
            owned(in, it);
          }
        }
      }
    }
  }

  private void identity(JsonParser in, String member) {
    switch (member) {
      case "uid" -> uid = JsonTokenReader.textOr(in, "");
      case "generation" -> generation = JsonTokenReader.longOr(in, 0);
      case "creationTimestamp" -> created = JsonTokenReader.textOr(in, "");
      case "deletionTimestamp" -> deleted = JsonTokenReader.text(in);
      case "generateName" -> generateName = JsonTokenReader.textOr(in, "");
      default -> {}
    }
  }

  private void owned(JsonParser in, String member) {
    switch (member) {
      case "ownerReferences" -> owners = owners(in);
      case "finalizers" -> finalizers = JsonTokenReader.texts(in);
      default -> {}
    }
  }

  private Map<String, String> labels(JsonParser in) {
    Map<String, String> kept = Map.of();
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      if (mask.hasLabel(it)) {
        kept = kept.isEmpty() ? new LinkedHashMap<>() : kept;
        kept.put(it.intern(), JsonTokenReader.textOr(in, "").intern());
      }
    }
    return kept;
  }

  private Map<String, String> annotations(JsonParser in) {
    Map<String, String> kept = Map.of();
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      if (mask.hasAnnotation(it)) {
        kept = kept.isEmpty() ? new LinkedHashMap<>() : kept;
        kept.put(it.intern(), JsonTokenReader.textOr(in, ""));
      }
    }
    return kept;
  }

  /// All members of an object of texts, such as a selector.
  static Map<String, String> texts(JsonParser in) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      texts.put(it.intern(), JsonTokenReader.textOr(in, "").intern());
    }
    return texts;
  }

  private static List<OwnerReference> owners(JsonParser in) {
    List<OwnerReference> owners = new ArrayList<>(1);
    for (boolean is = JsonTokenReader.firstItem(in); is; is = JsonTokenReader.nextItem(in)) {
      String apiVersion = "";
      String kind = "";
      String ownerName = "";
      String ownerUid = "";
      boolean controller = false;
      boolean blocks = false;
      for (String it = JsonTokenReader.firstMember(in);
          it != null;
          it = JsonTokenReader.nextMember(in)) {
        switch (it) {
          case "apiVersion" -> apiVersion = JsonTokenReader.textOr(in, "").intern();
          case "kind" -> kind = JsonTokenReader.textOr(in, "").intern();
          case "name" -> ownerName = JsonTokenReader.textOr(in, "").intern();
          case "uid" -> ownerUid = JsonTokenReader.textOr(in, "").intern();
          case "controller" -> controller = JsonTokenReader.booleanOr(in, false);
          case "blockOwnerDeletion" -> blocks = JsonTokenReader.booleanOr(in, false);
          default -> {}
        }
      }
      owners.add(new OwnerReference(apiVersion, kind, ownerName, ownerUid, controller, blocks));
    }
    return owners;
  }

  ObjectMeta metadata() {
    return new ObjectMeta(
        new ObjectKey(namespace, name),
        uid,
        version,
        generation,
        labels,
        owners,
        finalizers,
        Optional.ofNullable(deleted));
  }

  Map<String, String> annotations() {
    return annotations;
  }

  String created() {
    return created;
  }

  String generateName() {
    return generateName;
  }
}
