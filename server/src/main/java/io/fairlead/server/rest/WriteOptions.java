package io.fairlead.server.rest;

import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.http.server.QueryParameters;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/// What a client says about a write in the query: CreateOptions, UpdateOptions, PatchOptions.
///
/// @param manager who owns what this write sets; from `fieldManager`, else the client's name
/// @param force take over fields of others; server-side apply only
public record WriteOptions(boolean dryRun, Strictness strictness, String manager, boolean force) {
  private static final int MANAGER_MAX = 128;

  /// What becomes of fields that the schema does not know.
  enum Strictness {
    IGNORE,
    WARN,
    STRICT
  }

  /// Reads and checks them.
  ///
  /// @param kind `CreateOptions`, for the error
  /// @param apply whether this is a server-side apply, which must name its manager
  static WriteOptions parse(HttpServerExchange exchange, String kind, boolean apply) {
    QueryParameters query = exchange.query();
    List<FieldError> errors = new ArrayList<>();
    boolean dryRun = dryRun(query.all("dryRun"), errors);
    String manager = query.text("fieldManager");
    if (apply && manager.isEmpty()) {
      errors.add(FieldError.required("fieldManager", "is required for apply patch"));
    }
    if (!apply && kind.equals("PatchOptions") && query.has("force")) {
      errors.add(FieldError.forbidden("force", "may not be specified for non-apply patch"));
    }
    errors.addAll(MetadataRules.fieldManager(manager, "fieldManager"));
    String strictness = query.text("fieldValidation");
    if (!List.of("", "Ignore", "Warn", "Strict").contains(strictness)) {
      errors.add(
          FieldError.notSupported(
              "fieldValidation",
              tools.jackson.databind.node.StringNode.valueOf(strictness),
              List.of("", "Ignore", "Strict", "Warn")));
    }
    if (!errors.isEmpty()) {
      throw ApiException.invalid("meta.k8s.io", kind, "", errors);
    }
    return new WriteOptions(
        dryRun,
        strictness(strictness),
        manager.isEmpty() ? clientName(exchange) : manager,
        query.isOn("force"));
  }

  WriteOptions withDryRun() {
    return new WriteOptions(true, strictness, manager, force);
  }

  /// Whether `dryRun` asks for a rehearsal; anything but `All` is an error.
  static boolean dryRun(List<String> values, List<FieldError> errors) {
    List<String> given = values.stream().filter(value -> !value.isEmpty()).toList();
    if (given.isEmpty()) {
      return false;
    }
    if (given.stream().anyMatch(value -> !value.equals("All"))) {
      ArrayNode shown = io.fairlead.api.json.Json.array();
      given.forEach(shown::add);
      errors.add(FieldError.notSupported("dryRun", shown, List.of("All")));
    }
    return true;
  }

  private static Strictness strictness(String text) {
    return switch (text) {
      case "Ignore" -> Strictness.IGNORE;
      case "Strict" -> Strictness.STRICT;
      default -> Strictness.WARN;
    };
  }

  /// The User-Agent up to its first slash, without what cannot be printed.
  private static String clientName(HttpServerExchange exchange) {
    String agent = exchange.header("User-Agent");
    if (agent == null) {
      return "unknown";
    }
    int slash = agent.indexOf('/');
    String name = slash < 0 ? agent : agent.substring(0, slash);
    StringBuilder out = new StringBuilder();
    name.codePoints()
        .filter(c -> !Character.isISOControl(c))
        .limit(MANAGER_MAX)
        .forEach(out::appendCodePoint);
    return out.toString();
  }
}
