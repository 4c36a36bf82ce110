package io.fairlead.e2e.documents;

import java.util.HashMap;
import java.util.Map;

/// What the words that vary stand for in this run. A word has one meaning, and no two words have
/// the same.
final class Bindings {
  private final Map<String, String> meanings;
  private final Map<String, String> words;

  Bindings() {
    this(Map.of(), Map.of());
  }

  private Bindings(Map<String, String> meanings, Map<String, String> words) {
    this.meanings = new HashMap<>(meanings);
    this.words = new HashMap<>(words);
  }

  Bindings copy() {
    return new Bindings(meanings, words);
  }

  /// Whether the word can stand for what was seen; from then on it does.
  boolean bind(String word, String seen) {
    String meaning = meanings.putIfAbsent(word, seen);
    String before = words.putIfAbsent(seen, word);
    return (meaning == null || meaning.equals(seen)) && (before == null || before.equals(word));
  }

  /// Takes over what another one has learnt.
  void accept(Bindings other) {
    meanings.putAll(other.meanings);
    words.putAll(other.words);
  }

  /// `a is x, b is y`, for messages.
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    meanings.entrySet().stream()
        .filter(each -> !each.getKey().equals(each.getValue()))
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            each ->
                text.append(text.isEmpty() ? "" : ", ")
                    .append(each.getKey())
                    .append(" is ")
                    .append(each.getValue()));
    return text.toString();
  }
}
