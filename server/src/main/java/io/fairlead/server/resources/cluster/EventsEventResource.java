package io.fairlead.server.resources.cluster;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
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

/// The same events in the shape of `events.k8s.io`. Stored they are core events: this kind only
/// renames fields on the way in and out.
public final class EventsEventResource extends StoredResource {
  private static final Map<String, String> SHOWN_BY_STORED = names();

  private final long keptSeconds;

  /// @param kept how long; zero for ever
  public EventsEventResource(Duration kept) {
    super(
        ResourceDescriptorBuilder.namespaced("events.k8s.io", "events", "Event")
            .shortNames("ev")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.CREATES_ON_UPDATE,
        Trait.METADATA_AS_UPDATE);
    this.keptSeconds = EventResource.seconds(kept);
  }

  @Override
  public ObjectNode toStored(ObjectNode object) {
    ObjectNode stored = Json.object();
    stored.put("kind", "Event").put("apiVersion", "v1");
    SHOWN_BY_STORED.forEach(
        (in, out) -> {
          JsonNode value = object.get(out);
          if (value != null) {
            stored.set(in, value);
          }
        });
    EventResource.applyToStored(stored);
    return stored;
  }

  @Override
  public ObjectNode fromStored(ObjectNode stored) {
    ObjectNode shown = Json.object();
    shown.put("kind", "Event").put("apiVersion", descriptor().apiVersion());
    SHOWN_BY_STORED.forEach(
        (in, out) -> {
          JsonNode value = stored.get(in);
          boolean empty =
              value == null
                  || (value.isString() && value.stringValue().isEmpty())
                  || (in.equals("count") && value.asLong(0) == 0);
          if (!empty) {
            shown.set(out, value);
          }
        });
    return shown;
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    Json.child(object, "regarding");
    Json.child(object, "deprecatedSource");
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    EventValidation.check(toStored(object), "reportingController", problems);
    if (old == null) {
      EventValidation.checkNew(object, problems);
    } else {
      EventValidation.checkUpdate(toStored(object), toStored(old), problems);
    }
    return problems.list();
  }

  /// Errors speak of the event that is stored.
  @Override
  public String errorGroup() {
    return "";
  }

  @Override
  public long ttlSeconds(ObjectNode object) {
    return keptSeconds;
  }

  @Override
  public Map<String, String> selectableFields(ObjectNode object) {
    ObjectNode stored = object.has("regarding") ? toStored(object) : object;
    Map<String, String> fields = new LinkedHashMap<>();
    EventResource.reference(fields, "regarding", stored.path("involvedObject"));
    fields.put("reason", stored.path("reason").asString(""));
    fields.put("reportingController", stored.path("reportingComponent").asString(""));
    fields.put("type", stored.path("type").asString(""));
    return fields;
  }

  @Override
  public List<Column> columns() {
    return EventTable.COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return EventTable.cells(object.has("regarding") ? toStored(object) : object, now);
  }

  private static Map<String, String> names() {
    Map<String, String> names = new LinkedHashMap<>();
    names.put("metadata", "metadata");
    names.put("eventTime", "eventTime");
    names.put("series", "series");
    names.put("reportingComponent", "reportingController");
    names.put("reportingInstance", "reportingInstance");
    names.put("action", "action");
    names.put("reason", "reason");
    names.put("involvedObject", "regarding");
    names.put("related", "related");
    names.put("message", "note");
    names.put("type", "type");
    names.put("source", "deprecatedSource");
    names.put("firstTimestamp", "deprecatedFirstTimestamp");
    names.put("lastTimestamp", "deprecatedLastTimestamp");
    names.put("count", "deprecatedCount");
    return names;
  }
}
