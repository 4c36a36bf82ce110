package io.fairlead.e2e.documents;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One line of a document as a pattern for a printed line.
///
/// How it works: the line is cut into pieces. A piece of a known form (an age, a time, a generated
/// name, a word that varies) becomes a group that takes anything of that form, the rest is taken
/// literally. What the groups of names and varying words took is then held against what these words
/// stood for before.
final class LinePattern {
  private static final String EDGE_BEFORE = "(?<![\\w.-])";
  private static final String EDGE_AFTER = "(?![\\w-])";
  // The letters that Kubernetes makes names of: no vowels, nothing that looks like another.
  private static final String SAFE = "[bcdfghjklmnpqrstvwxz2456789]";
  private static final String AGE = EDGE_BEFORE + "(?:\\d+[dhms]){1,2}" + EDGE_AFTER;
  private static final String TIME = "\\d+(?:\\.\\d+)? m?s\\b";
  private static final String SIZE = "\\d+ MiB";
  private static final String PROCESS = "pid \\d+";
  private static final String KUBECONFIG = "/\\S*/\\.kube/config\\b";
  private static final String SUFFIX = "(?:-" + SAFE + "{6,10})?-" + SAFE + "{5}(?![\\w-])";
  private static final String NUMBER = "(?<![\\w.:/-])\\d+(?![\\w:/-]|\\.\\d)";
  private static final String ADDRESS = "\\d{1,3}(?:\\.\\d{1,3}){3}";

  private final Pattern pattern;
  private final List<String> bound;

  private LinePattern(Pattern pattern, List<String> bound) {
    this.pattern = pattern;
    this.bound = bound;
  }

  /// @param varying words that stand for others of their form
  /// @param numbersVary whether a whole number stands for any other
  static LinePattern of(String line, Set<String> varying, boolean numbersVary) {
    StringBuilder lexer = new StringBuilder();
    varying.stream()
        .sorted((a, b) -> b.length() - a.length())
        .forEach(
            word ->
                lexer
                    .append("(?<![\\w.-])")
                    .append(Pattern.quote(word))
                    .append("(?![\\w-]|\\.\\d)|"));
    String words = varying.isEmpty() ? "(?!)" : lexer.substring(0, lexer.length() - 1);
    Pattern pieces =
        Pattern.compile(
            "(?<any>…)|(?<word>%s)|(?<suffix>%s)|(?<time>%s)|(?<age>%s)|(?<size>%s)|(?<process>%s)|(?<kubeconfig>%s)|(?<number>%s)|(?<blank>\\s+)"
                .formatted(
                    words,
                    SUFFIX,
                    TIME,
                    AGE,
                    SIZE,
                    PROCESS,
                    KUBECONFIG,
                    numbersVary ? NUMBER : "(?!)"));
    String text = line.strip();
    StringBuilder regex = new StringBuilder();
    List<String> bound = new ArrayList<>();
    Matcher found = pieces.matcher(text);
    int at = 0;
    while (found.find()) {
      regex.append(literal(text.substring(at, found.start())));
      regex.append(form(found, bound));
      at = found.end();
    }
    regex.append(literal(text.substring(at)));
    return new LinePattern(Pattern.compile(regex.toString()), bound);
  }

  private static String literal(String text) {
    return text.isEmpty() ? "" : Pattern.quote(text);
  }

  private static String form(Matcher found, List<String> bound) {
    if (found.group("any") != null) {
      return ".*";
    }
    if (found.group("blank") != null) {
      return "\\s+";
    }
    if (found.group("suffix") != null) {
      bound.add(found.group());
      return "(" + SUFFIX + ")";
    }
    if (found.group("word") != null) {
      bound.add(found.group());
      return "(" + likeness(found.group()) + ")";
    }
    if (found.group("time") != null) {
      return TIME;
    }
    if (found.group("age") != null) {
      return AGE;
    }
    if (found.group("size") != null) {
      return SIZE;
    }
    if (found.group("kubeconfig") != null) {
      return KUBECONFIG;
    }
    return found.group("process") != null ? PROCESS : NUMBER;
  }

  /// What a varying word may stand for: an address for an address, a number for a number, capitals
  /// for capitals.
  private static String likeness(String word) {
    if (word.matches(ADDRESS)) {
      return ADDRESS;
    }
    if (word.matches("\\d+")) {
      return "\\d+";
    }
    return word.matches("[A-Z0-9-]+") ? "[A-Z0-9-]+" : "[\\w.-]+";
  }

  /// Whether the printed line has this form.
  boolean looksLike(String printed) {
    return pattern.matcher(printed.strip()).matches();
  }

  /// Whether the printed line has this form, and its words mean what they meant before.
  boolean matches(String printed, Bindings bindings) {
    Matcher matcher = pattern.matcher(printed.strip());
    if (!matcher.matches()) {
      return false;
    }
    for (int i = 0; i < bound.size(); i++) {
      if (!bindings.bind(bound.get(i), matcher.group(i + 1))) {
        return false;
      }
    }
    return true;
  }
}
