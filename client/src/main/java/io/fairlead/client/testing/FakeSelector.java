package io.fairlead.client.testing;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The equality forms of label and field selectors: `a=b`, `a!=b`, `a`, `!a`.
final class FakeSelector {
  private FakeSelector() {}

  static Predicate<JsonNode> of(Map<String, String> query) {
    List<Predicate<JsonNode>> all = new ArrayList<>();
    for (String term : terms(query.get("labelSelector"))) {
      all.add(object -> matches(term, key -> Json.text(object, "metadata", "labels", key)));
    }
    for (String term : terms(query.get("fieldSelector"))) {
      all.add(object -> matches(term, path -> Json.text(object, path.split("\\."))));
    }
    return object -> all.stream().allMatch(one -> one.test(object));
  }

  private static List<String> terms(@Nullable String selector) {
    return selector == null || selector.isEmpty() ? List.of() : List.of(selector.split(","));
  }

  private interface Lookup {
    @Nullable String value(String key);
  }

  private static boolean matches(String term, Lookup lookup) {
    int unequal = term.indexOf("!=");
    if (unequal > 0) {
      return !term.substring(unequal + 2).equals(lookup.value(term.substring(0, unequal)));
    }
    int equal = term.indexOf('=');
    if (equal > 0) {
      String wanted = term.substring(term.startsWith("==", equal) ? equal + 2 : equal + 1);
      return wanted.equals(lookup.value(term.substring(0, equal)));
    }
    return term.startsWith("!")
        ? lookup.value(term.substring(1)) == null
        : lookup.value(term) != null;
  }
}
