package io.fairlead.server.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.api.json.Json;
import io.fairlead.api.protobuf.ProtobufWriter;
import io.fairlead.api.schema.Field;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.status.Status;
import io.fairlead.server.cache.CachedObject;
import io.fairlead.server.cache.WatchEvent;
import io.fairlead.server.render.ResponseFormat.Shape;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Writes the events of one watch as lines, or as frames of protobuf that begin with their length.
/// Belongs to that watch's thread: the first table of a stream carries the columns, later ones do
/// not.
public final class WatchEventWriter {
  private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

  private final ResponseFormat format;
  private final Resource resource;
  private final InstantSource clock;
  private final @Nullable TableConverter tables;
  private final boolean protobuf;
  private boolean columnsSent;

  public WatchEventWriter(
      ResponseFormat format,
      Resource resource,
      ClusterReader reader,
      String includeObject,
      InstantSource clock) {
    this.format = format;
    this.resource = resource;
    this.clock = clock;
    this.protobuf = format.encoding() == ResponseFormat.Encoding.PROTOBUF;
    this.tables =
        format.shape() == Shape.TABLE
            ? new TableConverter(resource, reader, format, includeObject)
            : null;
  }

  /// The line of an event with its line end, or its frame. Shared bytes where possible.
  public byte[] line(WatchEvent event) {
    CachedObject object = event.object();
    if (object != null && format.shape() == Shape.OBJECT) {
      return protobuf
          ? event.frame(ProtobufResponseEncoder.struct(format.schemaName()))
          : event.line();
    }
    ObjectNode shown = object == null ? bookmark(event) : shaped(object.tree());
    return line(event.type().name(), shown);
  }

  /// The last line of a watch that failed.
  public byte[] error(Status status) {
    return line("ERROR", status.toJson());
  }

  private byte[] line(String type, ObjectNode object) {
    if (protobuf) {
      return ProtobufWriter.watchFrame(
          type, ProtobufResponseEncoder.body(object, format.schemaName()));
    }
    ObjectNode event = Json.object();
    event.put("type", type);
    event.set("object", object);
    return (Json.mapper().writeValueAsString(event) + "\n").getBytes(UTF_8);
  }

  private ObjectNode shaped(ObjectNode object) {
    TableConverter rows = tables;
    if (rows != null) {
      ObjectNode table = rows.single(object, clock.instant(), !columnsSent);
      columnsSent = true;
      return table;
    }
    return TableConverter.partial(object, format.metaApiVersion());
  }

  private ObjectNode bookmark(WatchEvent event) {
    ResourceDescriptor descriptor = resource.descriptor();
    ObjectNode object = Json.object();
    object.put("kind", descriptor.kind()).put("apiVersion", descriptor.apiVersion());
    ObjectNode metadata = object.putObject("metadata");
    metadata.put("resourceVersion", Long.toString(event.revision()));
    metadata.putNull("creationTimestamp");
    if (event.isInitialEventsEnd()) {
      metadata.putObject("annotations").put(INITIAL_EVENTS_END, "true");
    }
    // What every object of the kind has, if only empty: clients decode bookmarks like the others.
    for (String part : List.of("spec", "status")) {
      Field field = resource.isCustom() ? null : resource.schema().field(part);
      if (field != null && field.type() instanceof StructType) {
        object.putObject(part);
      }
    }
    TableConverter rows = tables;
    if (rows != null) {
      ObjectNode table = rows.bookmark(object, !columnsSent);
      columnsSent = true;
      return table;
    }
    return format.shape() == Shape.PARTIAL
        ? TableConverter.partial(object, format.metaApiVersion())
        : object;
  }
}
