package io.fairlead.server.resources.event;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.Names;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.Problems;
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
  private static final int MAX_TEXT = 128;
  private static final int MAX_NOTE = 1024;
  private static final Map<String, String> SHOWN_BY_STORED = names();

  private final long keptSeconds;

  /// @param kept how long; zero for ever
  public EventsEventResource(Duration kept) {
    super(
        Describe.namespaced("events.k8s.io", "events", "Event").shortNames("ev").build(),
        NameRule.SUBDOMAIN,
        Trait.CREATES_ON_UPDATE);
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
    EventResource.checkNamespace(object, object.path("regarding"), "regarding", problems);
    if (old == null) {
      checkNew(object, problems);
    }
    return problems.list();
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

  private static void checkNew(ObjectNode event, Problems problems) {
    String controller = event.path("reportingController").asString("");
    if (controller.isEmpty()) {
      problems.required("reportingController");
    } else {
      problems.each("reportingController", controller, Names.qualifiedName(controller));
    }
    for (String field : List.of("reportingInstance", "action", "reason")) {
      String text = event.path(field).asString("");
      if (text.isEmpty()) {
        problems.required(field);
      } else if (text.length() > MAX_TEXT) {
        problems.invalid(field, "", "can have at most " + MAX_TEXT + " characters");
      }
    }
    if (event.path("note").asString("").length() > MAX_NOTE) {
      problems.invalid("note", "", "can have at most " + MAX_NOTE + " characters");
    }
    if (!List.of("Normal", "Warning").contains(event.path("type").asString(""))) {
      problems.invalid("type", "", "has invalid value: " + event.path("type").asString(""));
    }
    if (!event.path("eventTime").isString()) {
      problems.required("eventTime");
    }
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
