package io.fairlead.api.selector;

import io.fairlead.api.status.ApiException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Picks objects by a few of their fields: `metadata.name=web,status.phase!=Running`. Which fields
/// a kind offers is not known here; the server compares [#fields] with its list.
///
/// @param requirements all must hold
public record FieldSelector(List<Requirement> requirements) {
  /// Matches every object.
  public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

  /// One comparison.
  ///
  /// @param equal whether the field must be equal to the value, or must differ from it
  public record Requirement(String field, boolean equal, String value) {}

  public FieldSelector {
    requirements = List.copyOf(requirements);
  }

  /// Reads the text form; empty text is [#EVERYTHING]. In values a comma, an equals sign and a
  /// backslash are written with a backslash before them. Throws a 400 ApiException.
  public static FieldSelector parse(String text) {
    List<Requirement> found = new ArrayList<>();
    for (String term : terms(text)) {
      if (!term.isEmpty()) {
        found.add(requirement(text, term));
      }
    }
    return found.isEmpty() ? EVERYTHING : new FieldSelector(found);
  }

  private static List<String> terms(String text) {
    List<String> terms = new ArrayList<>();
    int start = 0;
    boolean escaped = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (escaped) {
        escaped = false;
      } else if (c == '\\') {
        escaped = true;
      } else if (c == ',') {
        terms.add(text.substring(start, i));
        start = i + 1;
      }
    }
    terms.add(text.substring(start));
    return terms;
  }

  private static Requirement requirement(String text, String term) {
    for (int i = 0; i < term.length(); i++) {
      for (String operator : List.of("!=", "==", "=")) {
        if (term.startsWith(operator, i)) {
          String value = unescape(term.substring(i + operator.length()));
          return new Requirement(term.substring(0, i), !operator.equals("!="), value);
        }
      }
    }
    throw ApiException.badRequest(
        "invalid selector: '" + text + "'; can't understand '" + term + "'");
  }

  private static String unescape(String value) {
    StringBuilder plain = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '=' || c == ',') {
        // The code of the character, not the character: so upstream prints it.
        throw ApiException.badRequest(
            "invalid field selector: unescaped character in value: " + (int) c);
      }
      if (c == '\\') {
        i++;
        if (i == value.length() || "\\,=".indexOf(value.charAt(i)) < 0) {
          throw ApiException.badRequest(
              "invalid field selector: invalid escape sequence: "
                  + value.substring(i - 1, Math.min(i + 1, value.length())));
        }
        c = value.charAt(i);
      }
      plain.append(c);
    }
    return plain.toString();
  }

  /// Whether an object with these field values is picked; a field that is not there counts as
  /// empty.
  public boolean matches(Map<String, String> values) {
    for (Requirement requirement : requirements) {
      String value = values.getOrDefault(requirement.field(), "");
      if (value.equals(requirement.value()) != requirement.equal()) {
        return false;
      }
    }
    return true;
  }

  /// The fields it names, in the order of the text.
  public Set<String> fields() {
    return requirements.stream()
        .map(Requirement::field)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /// The value that `field=value` demands, or null when no such requirement is there. Lets a list
  /// of `metadata.name=x` be answered by one look-up.
  public @Nullable String exactValue(String field) {
    for (Requirement requirement : requirements) {
      if (requirement.equal() && requirement.field().equals(field)) {
        return requirement.value();
      }
    }
    return null;
  }

  public boolean isEmpty() {
    return requirements.isEmpty();
  }

  /// The text form again; [#parse] reads it back.
  @Override
  public String toString() {
    return requirements.stream()
        .map(each -> each.field() + (each.equal() ? "=" : "!=") + escape(each.value()))
        .collect(Collectors.joining(","));
  }

  private static String escape(String value) {
    return value.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=");
  }
}
