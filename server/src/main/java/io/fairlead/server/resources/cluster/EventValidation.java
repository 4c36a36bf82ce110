package io.fairlead.server.resources.cluster;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.GoForm;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Checks events of both groups. What has an `eventTime` is of the newer sort, which must say who
/// reports and what was done; the older sort only has to lie where its object lies.
final class EventValidation {
  private static final int MAX_TEXT = 128;
  private static final int MAX_NOTE = 1024;
  private static final List<String> COMMON = List.of("default", "kube-system");

  private EventValidation() {}

  /// @param event as it is stored
  /// @param reporter what the client calls the reporting component
  static void check(ObjectNode event, String reporter, Problems problems) {
    String namespace = event.at("/metadata/namespace").asString("");
    String about = event.at("/involvedObject/namespace").asString("");
    if (!event.path("eventTime").isString()) {
      boolean fits =
          about.isEmpty()
              ? namespace.isEmpty() || namespace.equals("default")
              : about.equals(namespace);
      mismatch(!fits, about, problems);
      return;
    }
    mismatch(about.isEmpty() && !COMMON.contains(namespace), about, problems);
    String controller = event.path("reportingComponent").asString("");
    if (controller.isEmpty()) {
      problems.required(reporter);
    }
    problems.each(reporter, controller, NameValidation.qualifiedName(controller));
    for (String field : List.of("reportingInstance", "action", "reason")) {
      String text = event.path(field).asString("");
      if (text.isEmpty()) {
        problems.required(field);
      } else if (text.length() > MAX_TEXT) {
        problems.invalid(field, "", "can have at most " + MAX_TEXT + " characters");
      }
    }
    if (event.path("message").asString("").length() > MAX_NOTE) {
      problems.invalid("message", "", "can have at most " + MAX_NOTE + " characters");
    }
  }

  /// Only the series of a newer event goes on.
  static void checkUpdate(ObjectNode event, ObjectNode old, Problems problems) {
    checkSeries(event.path("series"), problems);
    if (!event.path("involvedObject").equals(old.path("involvedObject"))) {
      problems.invalid(
          "involvedObject",
          GoForm.internal(event.path("involvedObject"), "io.k8s.api.core.v1.ObjectReference"),
          Problems.IMMUTABLE);
    }
    for (String field : List.of("reason", "message")) {
      problems.immutable(field, event.path(field), old.path(field));
    }
    problems.immutable("type", event.path("type"), old.path("type"));
    if (!event.path("eventTime").equals(old.path("eventTime"))) {
      problems.invalid(
          "eventTime",
          event.has("eventTime") ? event.path("eventTime") : JsonNodeFactory.instance.nullNode(),
          Problems.IMMUTABLE);
    }
    problems.immutable("action", event.path("action"), old.path("action"));
    immutable("reportingController", "reportingComponent", event, old, problems);
    immutable("reportingInstance", "reportingInstance", event, old, problems);
  }

  private static void immutable(
      String shown, String field, ObjectNode event, ObjectNode old, Problems problems) {
    problems.immutable(shown, event.path(field), old.path(field));
  }

  private static void checkSeries(JsonNode series, Problems problems) {
    if (series.isObject()) {
      if (series.path("count").asLong(0) < 2) {
        problems.invalid("series.count", "", "should be at least 2");
      }
      if (!series.path("lastObservedTime").isString()) {
        problems.required("series.lastObservedTime");
      }
    }
  }

  /// What only `events.k8s.io` demands of a new event.
  static void checkNew(ObjectNode event, Problems problems) {
    checkSeries(event.path("series"), problems);
    if (!event.path("eventTime").isString()) {
      problems.required("eventTime");
    }
    String type = event.path("type").asString("");
    if (!type.equals("Normal") && !type.equals("Warning")) {
      problems.invalid("type", "", "has invalid value: " + type);
    }
    unset(event.path("deprecatedFirstTimestamp").isString(), "firstTimestamp", problems);
    unset(event.path("deprecatedLastTimestamp").isString(), "lastTimestamp", problems);
    unset(event.path("deprecatedCount").asLong(0) != 0, "count", problems);
    unset(!event.path("deprecatedSource").isEmpty(), "source", problems);
  }

  private static void unset(boolean given, String field, Problems problems) {
    if (given) {
      problems.invalid(field, "", "needs to be unset");
    }
  }

  private static void mismatch(boolean wrong, String about, Problems problems) {
    if (wrong) {
      problems.invalid("involvedObject.namespace", about, "does not match event.namespace");
    }
  }
}
