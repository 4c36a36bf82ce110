package io.fairlead.server.resource;

import io.fairlead.api.status.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A part of an object with a path of its own: `…/status`, `…/scale`, `…/binding`.
public sealed interface Subresource {
  /// The last path segment.
  String name();

  /// The kind that is read or written here; group and version are those of the resource unless the
  /// kind belongs elsewhere (`autoscaling/v1 Scale`).
  String group();

  String version();

  String kind();

  /// The struct that describes that kind.
  String schemaName();

  List<String> verbs();

  /// A way of looking at the object: read with GET, written with PUT and PATCH. Patches work on
  /// what [#view] shows.
  non-sealed interface View extends Subresource {
    /// What is shown of the parent. May return the parent itself.
    ObjectNode view(ObjectNode parent);

    /// Writes what may be written through this view from `changed` into `parent` (the object as it
    /// is stored, to be changed in place). Everything else of `changed` is ignored.
    void write(ObjectNode parent, ObjectNode changed, RequestContext context);

    /// Problems of the parent after [#write]; empty when it is fine.
    default List<FieldError> validate(ObjectNode parent, ObjectNode old, RequestContext context) {
      return List.of();
    }
  }

  /// Something that is done to the object by POST: bind, evict, issue a token.
  non-sealed interface Action extends Subresource {
    /// Does it.
    ///
    /// @param name the parent's name from the path
    /// @param body the decoded request
    Answer post(String name, ObjectNode body, RequestContext context, ObjectWriter writer);
  }

  /// A connection to what runs behind the object: log, exec, proxy. It is listed by discovery and
  /// authorized like the others; the bytes are moved by the package `stream`.
  non-sealed interface Connect extends Subresource {}

  /// What an [Action] answers.
  record Answer(int code, ObjectNode body) {}

  /// How an [Action] changes its parent, through the ordinary machinery.
  interface ObjectWriter {
    /// The parent as it is, or null.
    @Nullable ObjectNode read(String name);

    /// Reads, changes and stores the parent; repeated when another write was faster. The action
    /// vouches for the change: it may set what the main path must not (the node of a pod, the
    /// status of a budget).
    ObjectNode update(String name, java.util.function.UnaryOperator<ObjectNode> change);

    /// Deletes the parent with these DeleteOptions.
    ObjectNode delete(String name, ObjectNode deleteOptions);

    /// The same, but nothing is stored.
    ObjectWriter dryRun();

    /// The same for another resource, such as the budget that an eviction draws on. `namespace` is
    /// empty for cluster-scoped resources.
    ObjectWriter of(String group, String plural, String namespace);
  }
}
