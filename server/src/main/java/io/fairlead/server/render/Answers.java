package io.fairlead.server.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.Status;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.server.cache.CachedObject;
import io.fairlead.server.cache.Listing;
import io.fairlead.server.http.Exchange;
import io.fairlead.server.render.Format.Encoding;
import io.fairlead.server.render.Format.Shape;
import io.fairlead.server.resource.Descriptor;
import io.fairlead.server.resource.Resource;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Sends answers in the agreed [Format].
///
/// Plain JSON of stored objects is the stored bytes, joined; only tables, partial metadata, YAML
/// and indented answers are computed.
public final class Answers {
  private static final byte[] LIST_END = "]}\n".getBytes(UTF_8);

  private Answers() {}

  /// An object that was just computed.
  public static void object(
      Exchange exchange, Format format, int code, ObjectNode object, Resource resource, Instant now)
      throws IOException {
    JsonNode shown =
        switch (format.shape()) {
          case OBJECT, PARTIAL_LIST -> object;
          case PARTIAL -> Tables.partial(object, format.metaApiVersion());
          case TABLE -> tables(exchange, format, resource).single(object, now, true);
        };
    tree(exchange, format, code, shown);
  }

  /// An object of the cache.
  public static void cached(
      Exchange exchange, Format format, CachedObject object, Resource resource, Instant now)
      throws IOException {
    if (!format.isPlain()) {
      object(exchange, format, 200, object.tree(), resource, now);
      return;
    }
    begin(exchange, format.contentType(), 200);
    try (OutputStream out = new ResponseBody(exchange)) {
      out.write(object.json());
      out.write('\n');
    }
  }

  /// A list, streamed item by item.
  public static void list(
      Exchange exchange, Format format, Listing listing, Resource resource, Instant now)
      throws IOException {
    if (format.encoding() == Encoding.PROTOBUF) {
      begin(exchange, format.contentType(), 200);
      try (OutputStream out = new ResponseBody(exchange)) {
        Messages.writeList(out, format, listing, resource.descriptor());
      }
      return;
    }
    if (format.encoding() != Encoding.JSON || format.pretty()) {
      tree(exchange, format, 200, listTree(exchange, format, listing, resource, now));
      return;
    }
    Tables tables = format.shape() == Shape.TABLE ? tables(exchange, format, resource) : null;
    begin(exchange, format.contentType(), 200);
    try (OutputStream out = new ResponseBody(exchange)) {
      out.write(listHead(format, listing, resource.descriptor(), tables));
      boolean first = true;
      for (CachedObject item : listing.items()) {
        if (!first) {
          out.write(',');
        }
        first = false;
        if (tables != null) {
          out.write(Json.bytes(tables.row(item.tree(), now)));
        } else if (format.shape() == Shape.PARTIAL_LIST) {
          out.write(Json.bytes(Tables.partial(item.tree(), format.metaApiVersion())));
        } else {
          item.writeItem(out);
        }
      }
      out.write(LIST_END);
    }
  }

  /// Any tree, without conversion.
  public static void tree(Exchange exchange, Format format, int code, JsonNode tree)
      throws IOException {
    begin(exchange, format.contentType(), code);
    try (OutputStream out = new ResponseBody(exchange)) {
      out.write(encode(format, tree));
    }
  }

  /// A Status; its `retryAfterSeconds` also becomes a header.
  public static void status(Exchange exchange, Status status) throws IOException {
    if (status.retryAfterSeconds() > 0) {
      exchange.setHeader("Retry-After", Integer.toString(status.retryAfterSeconds()));
    }
    tree(exchange, Negotiation.forErrors(exchange), status.code(), status.toJson());
  }

  public static void text(Exchange exchange, int code, String text) throws IOException {
    begin(exchange, "text/plain; charset=utf-8", code);
    exchange.setHeader("X-Content-Type-Options", "nosniff");
    try (OutputStream out = new ResponseBody(exchange)) {
      out.write(text.getBytes(UTF_8));
    }
  }

  private static void begin(Exchange exchange, String contentType, int code) {
    exchange.setStatus(code);
    exchange.setHeader("Content-Type", contentType);
  }

  private static byte[] encode(Format format, JsonNode tree) {
    if (format.encoding() == Encoding.YAML) {
      return Yaml.write(tree).getBytes(UTF_8);
    }
    if (format.encoding() == Encoding.PROTOBUF) {
      return Messages.body(tree, format.schemaName());
    }
    String json =
        format.pretty()
            ? Json.mapper()
                .writer()
                .with(SerializationFeature.INDENT_OUTPUT)
                .writeValueAsString(tree)
            : Json.mapper().writeValueAsString(tree);
    return (json + "\n").getBytes(UTF_8);
  }

  private static byte[] listHead(
      Format format,
      Listing listing,
      Descriptor descriptor,
      @org.jspecify.annotations.Nullable Tables tables) {
    ObjectNode head;
    String items;
    if (tables != null) {
      head = tables.head(Long.toString(listing.revision()), true);
      items = "rows";
    } else {
      head = Json.object();
      boolean partial = format.shape() == Shape.PARTIAL_LIST;
      head.put("kind", partial ? "PartialObjectMetadataList" : descriptor.listKind());
      head.put("apiVersion", partial ? format.metaApiVersion() : descriptor.apiVersion());
      head.putObject("metadata").put("resourceVersion", Long.toString(listing.revision()));
      items = "items";
    }
    addPaging(Json.child(head, "metadata"), listing);
    String text = Json.mapper().writeValueAsString(head);
    return (text.substring(0, text.length() - 1) + ",\"" + items + "\":[").getBytes(UTF_8);
  }

  static void addPaging(ObjectNode metadata, Listing listing) {
    if (!listing.continueToken().isEmpty()) {
      metadata.put("continue", listing.continueToken());
    }
    Long remaining = listing.remaining();
    if (remaining != null) {
      metadata.put("remainingItemCount", remaining.longValue());
    }
  }

  private static ObjectNode listTree(
      Exchange exchange, Format format, Listing listing, Resource resource, Instant now) {
    Tables tables = format.shape() == Shape.TABLE ? tables(exchange, format, resource) : null;
    byte[] head = listHead(format, listing, resource.descriptor(), tables);
    ObjectNode list = Json.parseObject((new String(head, UTF_8) + "]}").getBytes(UTF_8));
    ArrayNode items = (ArrayNode) list.get(tables == null ? "items" : "rows");
    for (CachedObject item : listing.items()) {
      ObjectNode tree = item.tree();
      if (tables != null) {
        items.add(tables.row(tree, now));
      } else if (format.shape() == Shape.PARTIAL_LIST) {
        items.add(Tables.partial(tree, format.metaApiVersion()));
      } else {
        tree.remove("kind");
        tree.remove("apiVersion");
        items.add(tree);
      }
    }
    return list;
  }

  private static Tables tables(Exchange exchange, Format format, Resource resource) {
    return new Tables(resource, format, exchange.query().text("includeObject"));
  }
}
