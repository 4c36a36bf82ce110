package io.fairlead.server.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.Status;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.cache.CachedObject;
import io.fairlead.server.cache.ListPage;
import io.fairlead.server.render.ResponseFormat.Encoding;
import io.fairlead.server.render.ResponseFormat.Shape;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Sends answers in the agreed [ResponseFormat].
///
/// Plain JSON of stored objects is the stored bytes, joined; only tables, partial metadata, YAML
/// and indented answers are computed.
public final class ResponseWriter {
  private static final byte[] LIST_END = "]}\n".getBytes(UTF_8);

  private ResponseWriter() {}

  /// An object that was just computed.
  public static void object(
      HttpServerExchange exchange,
      ResponseFormat format,
      int code,
      ObjectNode object,
      Resource resource,
      ClusterReader reader,
      Instant now)
      throws IOException {
    JsonNode shown =
        switch (format.shape()) {
          case OBJECT, PARTIAL_LIST -> object;
          case PARTIAL -> TableConverter.partial(object, format.metaApiVersion());
          case TABLE -> tables(exchange, format, resource, reader).single(object, now, true);
        };
    tree(exchange, format, code, shown);
  }

  /// An object of the cache.
  public static void cached(
      HttpServerExchange exchange,
      ResponseFormat format,
      CachedObject object,
      Resource resource,
      ClusterReader reader,
      Instant now)
      throws IOException {
    if (!format.isPlain()) {
      object(exchange, format, 200, object.tree(), resource, reader, now);
      return;
    }
    byte[] body = object.json(0, 1);
    body[body.length - 1] = '\n';
    bytes(exchange, format.contentType(), 200, body);
  }

  /// A body that is ready.
  public static void bytes(HttpServerExchange exchange, String contentType, int code, byte[] body)
      throws IOException {
    begin(exchange, contentType, code);
    if (body.length <= ResponseBody.THRESHOLD) {
      exchange.send(body, body.length);
      return;
    }
    try (OutputStream out = new ResponseBody(exchange)) {
      out.write(body);
    }
  }

  /// A list, streamed item by item.
  public static void list(
      HttpServerExchange exchange,
      ResponseFormat format,
      ListPage listing,
      Resource resource,
      ClusterReader reader,
      Instant now)
      throws IOException {
    if (format.encoding() == Encoding.PROTOBUF) {
      begin(exchange, format.contentType(), 200);
      try (OutputStream out = new ResponseBody(exchange)) {
        ProtobufResponseEncoder.writeList(out, format, listing, resource.descriptor());
      }
      return;
    }
    TableConverter tables =
        format.shape() == Shape.TABLE ? tables(exchange, format, resource, reader) : null;
    ObjectNode head = listHead(format, listing, resource.descriptor(), tables);
    String member = tables == null ? "items" : "rows";
    begin(exchange, format.contentType(), 200);
    if (format.encoding() == Encoding.YAML) {
      try (OutputStream out = new ResponseBody(exchange)) {
        Iterator<ObjectNode> items =
            listing.items().stream()
                .map(item -> shown(item, format, tables, resource, now))
                .iterator();
        Yaml.writeList(out, head, member, items);
      }
      return;
    }
    if (format.pretty()) {
      try (OutputStream out = new ResponseBody(exchange)) {
        IndentedJson.list(
            out, head, member, listing.items(), item -> shown(item, format, tables, resource, now));
      }
      return;
    }
    try (OutputStream out = new ResponseBody(exchange)) {
      byte[] opened = Json.bytes(head);
      out.write(opened, 0, opened.length - 1);
      out.write((",\"" + member + "\":[").getBytes(UTF_8));
      boolean first = true;
      for (CachedObject item : listing.items()) {
        if (!first) {
          out.write(',');
        }
        first = false;
        if (format.shape() == Shape.OBJECT) {
          item.writeItem(out);
        } else {
          out.write(Json.bytes(shown(item, format, tables, resource, now)));
        }
      }
      out.write(LIST_END);
    }
  }

  /// Any tree, without conversion.
  public static void tree(
      HttpServerExchange exchange, ResponseFormat format, int code, JsonNode tree)
      throws IOException {
    bytes(exchange, format.contentType(), code, encode(format, tree));
  }

  /// A Status; its `retryAfterSeconds` also becomes a header.
  public static void status(HttpServerExchange exchange, Status status) throws IOException {
    if (status.retryAfterSeconds() > 0) {
      exchange.setHeader("Retry-After", Integer.toString(status.retryAfterSeconds()));
    }
    tree(exchange, Negotiation.forErrors(exchange), status.code(), status.toJson());
  }

  public static void text(HttpServerExchange exchange, int code, String text) throws IOException {
    exchange.setHeader("X-Content-Type-Options", "nosniff");
    bytes(exchange, "text/plain; charset=utf-8", code, text.getBytes(UTF_8));
  }

  private static void begin(HttpServerExchange exchange, String contentType, int code) {
    exchange.setStatus(code);
    exchange.setHeader("Content-Type", contentType);
  }

  private static byte[] encode(ResponseFormat format, JsonNode tree) {
    if (format.encoding() == Encoding.YAML) {
      return Yaml.write(tree).getBytes(UTF_8);
    }
    if (format.encoding() == Encoding.PROTOBUF) {
      return ProtobufResponseEncoder.body(tree, format.schemaName());
    }
    byte[] json = format.pretty() ? IndentedJson.bytes(tree) : Json.bytes(tree);
    byte[] body = Arrays.copyOf(json, json.length + 1);
    body[json.length] = '\n';
    return body;
  }

  /// Everything of a list but its items.
  private static ObjectNode listHead(
      ResponseFormat format,
      ListPage listing,
      ResourceDescriptor descriptor,
      @Nullable TableConverter tables) {
    ObjectNode head;
    if (tables != null) {
      head = tables.head(Long.toString(listing.revision()), true);
    } else {
      head = Json.object();
      boolean partial = format.shape() == Shape.PARTIAL_LIST;
      head.put("kind", partial ? "PartialObjectMetadataList" : descriptor.listKind());
      head.put("apiVersion", partial ? format.metaApiVersion() : descriptor.apiVersion());
      head.putObject("metadata").put("resourceVersion", Long.toString(listing.revision()));
    }
    addPaging(Json.child(head, "metadata"), listing);
    return head;
  }

  /// An item of a list as the client wants to see it.
  private static ObjectNode shown(
      CachedObject item,
      ResponseFormat format,
      @Nullable TableConverter tables,
      Resource resource,
      Instant now) {
    ObjectNode tree = item.tree();
    if (tables != null) {
      return tables.row(tree, now);
    }
    if (format.shape() == Shape.PARTIAL_LIST) {
      return TableConverter.partial(tree, format.metaApiVersion());
    }
    if (!resource.isCustom()) {
      tree.remove("kind");
      tree.remove("apiVersion");
    }
    return tree;
  }

  static void addPaging(ObjectNode metadata, ListPage listing) {
    if (!listing.continueToken().isEmpty()) {
      metadata.put("continue", listing.continueToken());
    }
    Long remaining = listing.remaining();
    if (remaining != null) {
      metadata.put("remainingItemCount", remaining.longValue());
    }
  }

  private static TableConverter tables(
      HttpServerExchange exchange, ResponseFormat format, Resource resource, ClusterReader reader) {
    return new TableConverter(resource, reader, format, exchange.query().text("includeObject"));
  }
}
