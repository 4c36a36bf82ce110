package io.fairlead.server.openapi;

import java.util.List;

/// A query parameter that operations take.
///
/// @param type `string`, `integer` or `boolean`
record Parameter(String name, String type, String description) {
  private static final Parameter DRY_RUN =
      new Parameter("dryRun", "string", "With `All` the request is checked and nothing is kept.");
  private static final Parameter FIELD_MANAGER =
      new Parameter("fieldManager", "string", "The name under which changes are recorded.");
  private static final Parameter FIELD_VALIDATION =
      new Parameter(
          "fieldValidation",
          "string",
          "What happens to unknown and repeated fields: Ignore, Warn or Strict.");

  static final Parameter PRETTY =
      new Parameter("pretty", "string", "With `true` the answer is indented.");

  /// For create and replace.
  static final List<Parameter> WRITE = List.of(DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION, PRETTY);

  static final List<Parameter> PATCH =
      List.of(
          DRY_RUN,
          FIELD_MANAGER,
          FIELD_VALIDATION,
          new Parameter("force", "boolean", "Take over fields that others manage; apply only."),
          PRETTY);

  static final List<Parameter> DELETE =
      List.of(
          DRY_RUN,
          new Parameter(
              "gracePeriodSeconds", "integer", "How long the object may take to end; 0 is now."),
          new Parameter("orphanDependents", "boolean", "Older form of propagationPolicy."),
          new Parameter(
              "propagationPolicy",
              "string",
              "What becomes of dependents: Orphan, Background or Foreground."),
          PRETTY);

  static final List<Parameter> LIST =
      List.of(
          new Parameter("allowWatchBookmarks", "boolean", "Send BOOKMARK events in a watch."),
          new Parameter("continue", "string", "The token of the page before."),
          new Parameter("fieldSelector", "string", "Only objects with these field values."),
          new Parameter("labelSelector", "string", "Only objects with these labels."),
          new Parameter("limit", "integer", "The most objects a page may have."),
          new Parameter("resourceVersion", "string", "How new the answer must be."),
          new Parameter("resourceVersionMatch", "string", "Exact or NotOlderThan."),
          new Parameter("sendInitialEvents", "boolean", "Begin a watch with what exists."),
          new Parameter("timeoutSeconds", "integer", "When the request ends at the latest."),
          new Parameter("watch", "boolean", "Stay connected and send changes."),
          PRETTY);
}
