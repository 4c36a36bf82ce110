package io.fairlead.server.resources.custom;

import io.fairlead.api.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Decides whether the names of a definition are free in its group: two kinds must not answer to
/// one name. Names that were accepted before stay the definition's own.
public final class DefinitionNames {
  private final Set<String> resources = new HashSet<>();
  private final Set<String> kinds = new HashSet<>();

  private DefinitionNames() {}

  /// The names that the other definitions of the group hold.
  public static DefinitionNames heldByOthers(ObjectNode definition, List<ObjectNode> all) {
    DefinitionNames held = new DefinitionNames();
    String name = Json.textOr(definition, "", "metadata", "name");
    String group = Json.textOr(definition, "", "spec", "group");
    for (ObjectNode other : all) {
      if (!Json.textOr(other, "", "metadata", "name").equals(name)
          && Json.textOr(other, "", "spec", "group").equals(group)) {
        held.take(other.path("status").path("acceptedNames"));
      }
    }
    return held;
  }

  private void take(JsonNode names) {
    resources.add(Json.textOr(names, "", "plural"));
    resources.add(Json.textOr(names, "", "singular"));
    names.path("shortNames").forEach(each -> resources.add(each.asString("")));
    kinds.add(Json.textOr(names, "", "kind"));
    kinds.add(Json.textOr(names, "", "listKind"));
    resources.remove("");
    kinds.remove("");
  }

  /// Writes into the status what is accepted and why not the rest. Changes the definition; returns
  /// whether its status is different.
  public boolean decide(ObjectNode definition, String now) {
    JsonNode before = definition.path("status").deepCopy();
    JsonNode wanted = definition.path("spec").path("names");
    ObjectNode status = Json.child(definition, "status");
    ObjectNode accepted = Json.child(status, "acceptedNames");
    String reason = "NoConflicts";
    String message = "no conflicts found";
    for (String member : List.of("plural", "singular", "kind", "listKind")) {
      String name = Json.textOr(wanted, "", member);
      Set<String> taken = member.endsWith("ind") ? kinds : resources;
      if (taken.contains(name)) {
        reason = Character.toUpperCase(member.charAt(0)) + member.substring(1) + "Conflict";
        message = "\"" + name + "\" is already in use";
      } else if (name.isEmpty()) {
        accepted.remove(member);
      } else {
        accepted.put(member, name);
      }
    }
    List<String> shortNames = SchemaCompiler.texts(wanted.path("shortNames"));
    List<String> conflicts = shortNames.stream().filter(resources::contains).toList();
    if (conflicts.isEmpty()) {
      copy(accepted, wanted, "shortNames");
    } else {
      reason = "ShortNamesConflict";
      message = "\"" + conflicts.getFirst() + "\" is already in use";
    }
    copy(accepted, wanted, "categories");
    boolean free = reason.equals("NoConflicts");
    boolean unused =
        DefinitionConditions.set(
            definition, DefinitionConditions.NAMES_ACCEPTED, free, reason, message, now);
    if (free) {
      unused =
          DefinitionConditions.set(
              definition,
              DefinitionConditions.ESTABLISHED,
              true,
              "InitialNamesAccepted",
              "the initial names have been accepted",
              now);
    } else if (!DefinitionConditions.isTrue(definition, DefinitionConditions.ESTABLISHED)) {
      unused =
          DefinitionConditions.set(
              definition,
              DefinitionConditions.ESTABLISHED,
              false,
              "NotAccepted",
              "not all names are accepted",
              now);
    }
    return !before.equals(definition.path("status"));
  }

  private static void copy(ObjectNode accepted, JsonNode wanted, String member) {
    if (wanted.path(member) instanceof ArrayNode list && !list.isEmpty()) {
      accepted.set(member, list.deepCopy());
    } else {
      accepted.remove(member);
    }
  }
}
