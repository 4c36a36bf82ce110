package io.fairlead.client.informer;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.FieldSelector;
import io.fairlead.api.selector.LabelSelector;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The objects that selectors let through, decided as a server decides it: an absent field is
/// empty.
record ObjectFilter(LabelSelector labels, FieldSelector fields) {
  boolean matches(ObjectNode object) {
    if (!labels.isEmpty() && !labels.matches(object)) {
      return false;
    }
    if (fields.isEmpty()) {
      return true;
    }
    Map<String, String> values = new HashMap<>();
    for (String field : fields.fields()) {
      values.put(field, Json.textOr(object, "", field.split("\\.", -1)));
    }
    return fields.matches(values);
  }
}
