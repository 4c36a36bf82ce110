package io.fairlead.controller.endpoints;

import io.fairlead.api.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The object behind an address, as `targetRef` names it.
///
/// @param fields the members of the reference by name
public record AddressTargetRef(Map<String, String> fields) {
  private static final String UID = "uid";
  private static final String RESOURCE_VERSION = "resourceVersion";
  private static final List<String> ORDER =
      List.of("kind", "namespace", "name", UID, "apiVersion", RESOURCE_VERSION, "fieldPath");

  public AddressTargetRef {
    fields = Map.copyOf(fields);
  }

  static AddressTargetRef pod(String namespace, String name, String uid) {
    return new AddressTargetRef(
        Map.of("kind", "Pod", "namespace", namespace, "name", name, UID, uid));
  }

  static AddressTargetRef of(JsonNode reference) {
    Map<String, String> fields = new HashMap<>();
    reference
        .properties()
        .forEach(field -> fields.put(field.getKey().intern(), field.getValue().asString("")));
    return new AddressTargetRef(fields);
  }

  String uid() {
    return fields.getOrDefault(UID, "");
  }

  /// Writes what makes it this object, whatever version of it was meant: that changes without
  /// meaning anything.
  void describeTo(StringBuilder text) {
    for (String name : ORDER) {
      String value = name.equals(RESOURCE_VERSION) ? null : fields.get(name);
      if (value != null) {
        text.append('\t').append(name).append('=').append(value);
      }
    }
  }

  /// The reference as it is written.
  public ObjectNode toJson() {
    ObjectNode reference = Json.object();
    for (String name : ORDER) {
      String value = fields.get(name);
      if (value != null) {
        reference.put(name, value);
      }
    }
    return reference;
  }
}
