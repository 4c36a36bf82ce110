package io.fairlead.proxy.tracking;

import io.fairlead.api.json.Tokens;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import tools.jackson.core.JsonParser;

/// Metadata as it is read, without what the proxy does not look at: there are tens of thousands of
/// these objects.
final class Slim {
  private final Predicate<String> wanted;
  private final Map<String, String> labels = new TreeMap<>();
  private final Map<String, String> annotations = new TreeMap<>();
  private String namespace = "";
  private String name = "";
  private String version = "";

  /// @param wanted which labels and annotations are kept
  Slim(Predicate<String> wanted) {
    this.wanted = wanted;
  }

  void read(JsonParser in) {
    for (String it = Tokens.firstMember(in); it != null; it = Tokens.nextMember(in)) {
      switch (it) {
        case "namespace" -> namespace = Tokens.textOr(in, "").intern();
        case "name" -> name = Tokens.textOr(in, "");
        case "resourceVersion" -> version = Tokens.textOr(in, "");
        case "labels" -> marks(in, labels);
        case "annotations" -> marks(in, annotations);
        default -> {}
      }
    }
  }

  private void marks(JsonParser in, Map<String, String> kept) {
    for (String mark = Tokens.firstMember(in); mark != null; mark = Tokens.nextMember(in)) {
      if (wanted.test(mark)) {
        kept.put(mark, Tokens.textOr(in, ""));
      }
    }
  }

  Map<String, String> labels() {
    return labels;
  }

  Map<String, String> annotations() {
    return annotations;
  }

  ObjectMeta metadata() {
    return new ObjectMeta(
        new ObjectKey(namespace, name),
        "",
        version,
        0,
        Map.of(),
        List.of(),
        List.of(),
        Optional.empty());
  }
}
