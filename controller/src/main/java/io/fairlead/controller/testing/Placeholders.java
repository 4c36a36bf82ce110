package io.fairlead.controller.testing;

import io.fairlead.api.json.Json;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// What the words in a recording stand for in this run: `$NS`, `$UID(Pod/p-0)`, `$CREATED`,
/// `$SLICE1(svc-)`, `$FIRST`.
public final class Placeholders {
  private static final Pattern UID = Pattern.compile("\\$UID\\(([^)]*)\\)");

  private final String namespace;
  private final Map<String, ObjectNode> objects = new HashMap<>();
  private final Map<String, String> names = new HashMap<>();

  public Placeholders(String namespace) {
    this.namespace = namespace;
  }

  /// An object was made. A successor of the same name takes its place.
  public void made(ObjectNode object) {
    objects.put(
        Json.textOr(object, "", "kind") + "/" + Json.textOr(object, "", "metadata", "name"),
        object);
  }

  /// The name a `$SLICE` stands for, once it is known.
  public Optional<String> name(String placeholder) {
    return placeholder.startsWith("$SLICE")
        ? Optional.ofNullable(names.get(placeholder))
        : Optional.of(placeholder);
  }

  /// From now on that `$SLICE` stands for this name.
  public void bind(String placeholder, String name) {
    names.put(placeholder, name);
  }

  /// Which slice stands for which name is to be learned again: the original chose by chance.
  public void forgetNames() {
    names.clear();
  }

  public boolean isBound(String name) {
    return names.containsValue(name);
  }

  /// A copy with everything known filled in.
  ///
  /// @param service whose making `$CREATED` means
  public JsonNode fill(JsonNode recorded, String service) {
    return switch (recorded) {
      case ObjectNode object -> {
        ObjectNode filled = Json.object();
        object.properties().forEach(e -> filled.set(e.getKey(), fill(e.getValue(), service)));
        yield filled;
      }
      case ArrayNode list -> {
        ArrayNode filled = Json.array();
        list.forEach(entry -> filled.add(fill(entry, service)));
        yield filled;
      }
      case StringNode text -> StringNode.valueOf(filled(text.stringValue(), service));
      default -> recorded;
    };
  }

  private String filled(String text, String service) {
    if (text.equals("$CREATED")) {
      return Json.textOr(known("Service/" + service), "", "metadata", "creationTimestamp");
    }
    if (text.equals("$FIRST")) {
      return Json.textOr(known("Service/" + service), "", "spec", "clusterIP");
    }
    if (text.startsWith("$SLICE")) {
      return name(text).orElse(text);
    }
    Matcher uid = UID.matcher(text);
    String filled =
        uid.replaceAll(
            found ->
                Matcher.quoteReplacement(
                    Json.textOr(known(found.group(1)), found.group(), "metadata", "uid")));
    return filled.replace("$NS", namespace);
  }

  private JsonNode known(String what) {
    ObjectNode found = objects.get(what);
    return found == null ? Json.object() : found;
  }
}
