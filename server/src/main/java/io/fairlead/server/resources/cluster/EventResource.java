package io.fairlead.server.resources.cluster;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Something that happened to an object, kept for a while.
public final class EventResource extends StoredResource {
  /// How long, where nothing else is said.
  public static final Duration KEPT = Duration.ofHours(1);

  private static final List<String> REFERENCE =
      List.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath");

  private final long keptSeconds;

  /// @param kept how long; zero for ever
  public EventResource(Duration kept) {
    super(
        ResourceDescriptorBuilder.namespaced("", "events", "Event").shortNames("ev").build(),
        NameValidator.PATH_SEGMENT,
        Trait.CREATES_ON_UPDATE,
        Trait.METADATA_UNCHECKED);
    this.keptSeconds = seconds(kept);
  }

  /// The store counts whole seconds; a part of one must not come to mean for ever.
  static long seconds(Duration kept) {
    return kept.plusSeconds(1).minusNanos(1).toSeconds();
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    applyToStored(object);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    EventValidation.check(object, "reportingComponent", problems);
    return problems.list();
  }

  @Override
  public long ttlSeconds(ObjectNode object) {
    return keptSeconds;
  }

  @Override
  public Map<String, String> selectableFields(ObjectNode object) {
    Map<String, String> fields = new LinkedHashMap<>();
    reference(fields, "involvedObject", object.path("involvedObject"));
    fields.put("reason", object.path("reason").asString(""));
    fields.put("reportingComponent", object.path("reportingComponent").asString(""));
    String source = object.at("/source/component").asString("");
    fields.put(
        "source", source.isEmpty() ? object.path("reportingComponent").asString("") : source);
    fields.put("type", object.path("type").asString(""));
    return fields;
  }

  @Override
  public boolean takesAnyFinalizer() {
    return true;
  }

  @Override
  public List<Column> columns() {
    return EventTable.COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return EventTable.cells(object, now);
  }

  /// What a stored event always shows.
  static void applyToStored(ObjectNode event) {
    Json.child(event, "metadata");
    Json.child(event, "involvedObject");
    Json.child(event, "source");
    Defaults.missingText(event, "reportingComponent", "");
    Defaults.missingText(event, "reportingInstance", "");
  }

  static void reference(Map<String, String> fields, String prefix, JsonNode reference) {
    for (String field : REFERENCE) {
      fields.put(prefix + "." + field, reference.path(field).asString(""));
    }
  }
}
