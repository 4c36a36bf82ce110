package io.fairlead.controller.runtime;

import io.fairlead.client.HasMetadata;
import io.fairlead.client.RawObject;
import io.fairlead.client.ResourceType;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.node.ObjectNode;

/// What several controllers keep of the objects of one kind, and by what they find them. Compared
/// by identity, so declare it as a constant: the same constant gives the same informer.
public final class InformerKind<T extends HasMetadata> {
  private final ResourceType type;
  private final Function<RawObject, T> decode;
  private final Map<String, Function<T, Collection<String>>> indexes;

  private InformerKind(
      ResourceType type,
      Function<RawObject, T> decode,
      Map<String, Function<T, Collection<String>>> indexes) {
    this.type = type;
    this.decode = decode;
    this.indexes = indexes;
  }

  /// @param decode keeps of an object what is acted on; that of an object is the same every time
  public static <T extends HasMetadata> InformerKind<T> of(
      ResourceType type, Function<ObjectNode, T> decode) {
    return new InformerKind<>(type, body -> decode.apply(body.tree()), Map.of());
  }

  /// @param read keeps of an object what is acted on, from its tokens: no tree is built
  public static <T extends HasMetadata> InformerKind<T> reading(
      ResourceType type, Function<JsonParser, T> read) {
    return new InformerKind<>(type, body -> body.read(read), Map.of());
  }

  /// @param decode keeps of an object what is acted on, from what several controllers read together
  public static <T extends HasMetadata> InformerKind<T> decoding(
      ResourceType type, Function<RawObject, T> decode) {
    return new InformerKind<>(type, decode, Map.of());
  }

  /// The same with one more index; see [io.fairlead.client.informer.Informer#addIndex].
  public InformerKind<T> indexedBy(String name, Function<T, Collection<String>> values) {
    Map<String, Function<T, Collection<String>>> more = new LinkedHashMap<>(indexes);
    more.put(name, values);
    return new InformerKind<>(type, decode, more);
  }

  ResourceType type() {
    return type;
  }

  Function<RawObject, T> decode() {
    return decode;
  }

  Map<String, Function<T, Collection<String>>> indexes() {
    return indexes;
  }
}
