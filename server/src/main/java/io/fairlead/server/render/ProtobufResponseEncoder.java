package io.fairlead.server.render;

import io.fairlead.api.json.Json;
import io.fairlead.api.protobuf.ProtobufWriter;
import io.fairlead.api.schema.Field;
import io.fairlead.api.schema.MergeStrategy;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.schema.Type;
import io.fairlead.server.cache.CachedObject;
import io.fairlead.server.cache.ListPage;
import io.fairlead.server.render.ResponseFormat.Shape;
import io.fairlead.server.resource.ResourceDescriptor;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Answers as `application/vnd.kubernetes.protobuf` (spec 1.7).
///
/// Objects are kept as JSON, so this encoding is computed: once per event and shared by all who
/// watch, once per answer otherwise.
final class ProtobufResponseEncoder {
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  /// Lists that take less than this in the store are encoded once.
  private static final long SHORT = 1 << 20;

  /// The struct of a Status.
  static final String STATUS = META + "Status";

  private ProtobufResponseEncoder() {}

  /// Metadata alone. The client libraries have no schema for it, but its two messages are simple.
  private static final class Partial {
    static final StructType OBJECT =
        new StructType(META + "PartialObjectMetadata", "")
            .link(List.of(field("metadata", struct(META + "ObjectMeta"), 1)));
    static final StructType LIST =
        new StructType(META + "PartialObjectMetadataList", "")
            .link(
                List.of(
                    field("metadata", struct(META + "ListMeta"), 1),
                    field("items", new Type.ListOf(OBJECT), 2)));

    private Partial() {}

    private static Field field(String name, Type type, int number) {
      return new Field(
          name, type, "", false, number, false, false, MergeStrategy.DEFAULT, false, "");
    }
  }

  static StructType struct(String schemaName) {
    return Schemas.kubernetes().struct(schemaName);
  }

  /// An object, a Status or partial metadata, whichever the tree says it is.
  static byte[] body(JsonNode tree, String schemaName) {
    StructType type =
        switch (Json.textOr(tree, "", "kind")) {
          case "Status" -> struct(STATUS);
          case "PartialObjectMetadata" -> Partial.OBJECT;
          default -> struct(schemaName);
        };
    return ProtobufWriter.write((ObjectNode) tree, type);
  }

  /// A list. Its length stands before its content. The items of a short list are encoded before the
  /// first byte is written; those of a long one twice, so that it is never in memory as a whole.
  static void writeList(
      OutputStream out, ResponseFormat format, ListPage listing, ResourceDescriptor descriptor)
      throws IOException {
    boolean partial = format.shape() == Shape.PARTIAL_LIST;
    ObjectNode head = Json.object();
    head.put("kind", partial ? "PartialObjectMetadataList" : descriptor.listKind());
    head.put("apiVersion", partial ? format.metaApiVersion() : descriptor.apiVersion());
    head.putObject("metadata").put("resourceVersion", Long.toString(listing.revision()));
    ResponseWriter.addPaging(Json.child(head, "metadata"), listing);
    StructType list = partial ? Partial.LIST : struct(format.schemaName() + "List");
    StructType item = partial ? Partial.OBJECT : struct(format.schemaName());
    Iterable<byte[]> items =
        () ->
            listing.items().stream()
                .map(object -> ProtobufWriter.message(object.tree(), item))
                .iterator();
    long stored = listing.items().stream().mapToLong(CachedObject::size).sum();
    if (stored <= SHORT) {
      List<byte[]> encoded = new ArrayList<>(listing.items().size());
      items.forEach(encoded::add);
      items = encoded;
    }
    ProtobufWriter.writeList(out, head, list, items);
  }
}
