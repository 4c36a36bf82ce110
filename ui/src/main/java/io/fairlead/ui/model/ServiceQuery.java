package io.fairlead.ui.model;

import io.fairlead.http.server.QueryParameters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/// Which Services a list shows, in which order, and which window of them. Pure.
///
/// @param words all must match
/// @param sort a column, with `-` in front for the other direction; empty for the worst first
/// @param limit at most 200
public record ServiceQuery(
    String namespace, List<String> words, String state, String sort, int offset, int limit) {
  static final int MOST = 200;

  private static final Map<String, Function<JudgedService, String>> FIELDS =
      Map.of(
          "ns", one -> one.service().key().namespace(),
          "namespace", one -> one.service().key().namespace(),
          "name", one -> one.service().key().name(),
          "code", JudgedService::code,
          "type", JudgedService::type,
          "state", one -> one.health().toString());

  private static final Comparator<JudgedService> BY_NAME =
      Comparator.comparing(one -> one.service().key());

  private static final Map<String, Comparator<JudgedService>> ORDERS =
      Map.of(
          "state", Comparator.comparing(JudgedService::health),
          "namespace", BY_NAME,
          "name", Comparator.comparing(one -> one.service().key().name()),
          "type", Comparator.comparing(JudgedService::type),
          "address", Comparator.comparing(one -> String.join(",", one.addresses())),
          "why", Comparator.comparing(JudgedService::code).reversed());

  public ServiceQuery {
    words = List.copyOf(words);
    offset = Math.max(0, offset);
    limit = Math.clamp(limit, 1, MOST);
  }

  /// Reads the parameters of a request or of a topic.
  public static ServiceQuery of(QueryParameters query) {
    List<String> words = new ArrayList<>();
    for (String word : query.text("q").strip().toLowerCase(Locale.ROOT).split("\\s+")) {
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    return new ServiceQuery(
        query.text("namespace"),
        words,
        query.text("state"),
        query.text("sort"),
        number(query, "offset", 0),
        number(query, "limit", MOST));
  }

  private static int number(QueryParameters query, String name, int otherwise) {
    Long given = query.number(name);
    return given == null ? otherwise : Math.clamp(given, 0, 10_000_000);
  }

  /// Whether a list of that query has it, its state aside.
  boolean matches(JudgedService one) {
    return (namespace.isEmpty() || one.service().key().namespace().equals(namespace))
        && words.stream().allMatch(word -> matches(one, word));
  }

  boolean hasState(JudgedService one) {
    return state.isEmpty() || one.health().toString().equals(state);
  }

  private static boolean matches(JudgedService one, String word) {
    int colon = word.indexOf(':');
    Function<JudgedService, String> field = colon < 0 ? null : FIELDS.get(word.substring(0, colon));
    if (field != null) {
      return field.apply(one).toLowerCase(Locale.ROOT).equals(word.substring(colon + 1));
    }
    return one.service().key().name().contains(word)
        || one.service().key().namespace().contains(word)
        || one.code().toLowerCase(Locale.ROOT).equals(word)
        || one.addresses().stream().anyMatch(each -> each.contains(word))
        || one.ports().stream().anyMatch(each -> each.contains(word));
  }

  Comparator<JudgedService> order() {
    boolean down = sort.startsWith("-");
    Comparator<JudgedService> order = ORDERS.get(down ? sort.substring(1) : sort);
    if (order == null) {
      order = Comparator.comparing(JudgedService::health);
    } else if (down) {
      order = order.reversed();
    }
    return order.thenComparing(BY_NAME);
  }
}
