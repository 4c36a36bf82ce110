package io.fairlead.api.names;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The formats of names. Each method lists what is wrong with a text, in the words that follow
/// `Invalid value: "x": `; an empty list means the text is fine.
///
/// No regular expressions run here although the messages quote them: names are checked on every
/// write, and a hand-written scan of a few bytes costs nothing.
public final class NameValidation {
  static final int LABEL_MAX = 63;
  static final int SUBDOMAIN_MAX = 253;

  private static final String LABEL_PATTERN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final String SUBDOMAIN_PATTERN = LABEL_PATTERN + "(\\." + LABEL_PATTERN + ")*";
  private static final String QUALIFIED_PATTERN = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

  private static final String LABEL_PROBLEM =
      pattern(
          "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-',"
              + " and must start and end with an alphanumeric character",
          LABEL_PATTERN,
          "my-name",
          "123-abc");
  private static final String SUBDOMAIN_PROBLEM =
      pattern(
          "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-'"
              + " or '.', and must start and end with an alphanumeric character",
          SUBDOMAIN_PATTERN,
          "example.com");
  private static final String UNDERSCORE_PROBLEM =
      pattern(
          "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_',"
              + " '-' or '.', and must start and end with an alphanumeric character",
          "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*",
          "example.com");
  private static final String DNS1035_PROBLEM =
      pattern(
          "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with"
              + " an alphabetic character, and end with an alphanumeric character",
          "[a-z]([-a-z0-9]*[a-z0-9])?",
          "my-name",
          "abc-123");
  private static final String WILDCARD_PROBLEM =
      pattern(
          "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain,"
              + " which must consist of lower case alphanumeric characters, '-' or '.' and end with"
              + " an alphanumeric character",
          "\\*\\." + SUBDOMAIN_PATTERN,
          "*.example.com");
  private static final String QUALIFIED_PROBLEM =
      pattern(
          "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with"
              + " an alphanumeric character",
          QUALIFIED_PATTERN,
          "MyName",
          "my.name",
          "123-abc");
  private static final String LABEL_VALUE_PROBLEM =
      pattern(
          "a valid label must be an empty string or consist of alphanumeric characters, '-', '_'"
              + " or '.', and must start and end with an alphanumeric character",
          "(" + QUALIFIED_PATTERN + ")?",
          "MyValue",
          "my_value",
          "12345");
  private static final String C_IDENTIFIER_PROBLEM =
      pattern(
          "a valid C identifier must start with alphabetic character or '_', followed by a string"
              + " of alphanumeric characters or '_'",
          "[A-Za-z_][A-Za-z0-9_]*",
          "my_name",
          "MY_NAME",
          "MyName");
  private static final String CONFIG_KEY_PROBLEM =
      pattern(
          "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
          "[-._a-zA-Z0-9]+",
          "key.name",
          "KEY_NAME",
          "key-name");
  private static final String HEADER_PROBLEM =
      pattern(
          "a valid HTTP header must consist of alphanumeric characters or '-'",
          "[-A-Za-z0-9]+",
          "X-Header-Name");
  private static final String PERCENT_PROBLEM =
      pattern(
          "a valid percent string must be a numeric string followed by an ending '%'",
          "[0-9]+%", "1%", "93%");

  private NameValidation() {}

  /// `my-name`: at most 63 characters, no dots.
  public static List<String> dns1123Label(String value) {
    List<String> problems = new ArrayList<>(0);
    limit(problems, value, LABEL_MAX);
    if (!isLabel(value, 0, value.length(), false)) {
      problems.add(isSubdomain(value) ? "must not contain dots" : LABEL_PROBLEM);
    }
    return problems;
  }

  /// `my.name.example`: labels joined by dots, at most 253 characters.
  public static List<String> dns1123Subdomain(String value) {
    List<String> problems = new ArrayList<>(0);
    limit(problems, value, SUBDOMAIN_MAX);
    if (!isSubdomain(value)) {
      problems.add(SUBDOMAIN_PROBLEM);
    }
    return problems;
  }

  /// A search domain: a subdomain whose labels may hold and begin with underscores.
  public static List<String> subdomainWithUnderscores(String value) {
    List<String> problems = new ArrayList<>(0);
    limit(problems, value, SUBDOMAIN_MAX);
    for (String label : value.split("\\.", -1)) {
      String rest = label.startsWith("_") ? label.substring(1) : label;
      boolean edges = !rest.isEmpty() && rest.charAt(0) != '_' && !rest.endsWith("_");
      if (!edges || !isLabel(rest.replace('_', 'a'), 0, rest.length(), false)) {
        problems.add(UNDERSCORE_PROBLEM);
        break;
      }
    }
    return problems;
  }

  /// Like [#dns1123Label] but beginning with a letter.
  public static List<String> dns1035Label(String value) {
    List<String> problems = new ArrayList<>(0);
    limit(problems, value, LABEL_MAX);
    if (!isLabel(value, 0, value.length(), true)) {
      problems.add(DNS1035_PROBLEM);
    }
    return problems;
  }

  /// `*.example.com`.
  public static List<String> wildcardSubdomain(String value) {
    List<String> problems = new ArrayList<>(0);
    limit(problems, value, SUBDOMAIN_MAX);
    if (!value.startsWith("*.") || !isSubdomain(value.substring(2))) {
      problems.add(WILDCARD_PROBLEM);
    }
    return problems;
  }

  /// The key of a label or annotation, also finalizers and condition types: `name` or
  /// `example.com/name`.
  public static List<String> qualifiedName(String value) {
    int slash = value.indexOf('/');
    if (slash != value.lastIndexOf('/')) {
      return List.of(
          "a valid label key "
              + QUALIFIED_PROBLEM
              + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    }
    List<String> problems = new ArrayList<>(0);
    String name = value.substring(slash + 1);
    if (slash == 0) {
      problems.add("prefix part must be non-empty");
    } else if (slash > 0) {
      String prefix = value.substring(0, slash);
      if (bytes(prefix) > SUBDOMAIN_MAX) {
        problems.add("prefix part " + noMoreBytesThan(SUBDOMAIN_MAX));
      }
      if (!isSubdomain(prefix)) {
        problems.add("prefix part " + SUBDOMAIN_PROBLEM);
      }
    }
    if (name.isEmpty()) {
      problems.add("name part must be non-empty");
    } else if (bytes(name) > LABEL_MAX) {
      problems.add("name part " + noMoreBytesThan(LABEL_MAX));
    }
    if (name.isEmpty() || !isQualifiedPart(name)) {
      problems.add("name part " + QUALIFIED_PROBLEM);
    }
    return problems;
  }

  /// The key of an annotation: a qualified name in any case, also in its prefix.
  public static List<String> annotationKey(String value) {
    return qualifiedName(value.toLowerCase(Locale.ROOT));
  }

  /// Empty, or up to 63 letters, digits and `-_.` between letters or digits.
  public static List<String> labelValue(String value) {
    List<String> problems = new ArrayList<>(0);
    if (bytes(value) > LABEL_MAX) {
      problems.add(noMoreBytesThan(LABEL_MAX));
    }
    if (!value.isEmpty() && !isQualifiedPart(value)) {
      problems.add(LABEL_VALUE_PROBLEM);
    }
    return problems;
  }

  /// A name that is safe as one segment of a path; RBAC names are free otherwise.
  public static List<String> pathSegment(String value) {
    if (value.equals(".") || value.equals("..")) {
      return List.of("may not be '" + value + "'");
    }
    List<String> problems = new ArrayList<>(0);
    for (String forbidden : List.of("/", "%")) {
      if (value.contains(forbidden)) {
        problems.add("may not contain '" + forbidden + "'");
      }
    }
    return problems;
  }

  /// An IANA service name as containers and named target ports use it (RFC 6335).
  public static List<String> portName(String value) {
    List<String> problems = new ArrayList<>(0);
    limit(problems, value, 15);
    boolean letters = false;
    boolean charset = !value.isEmpty();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      letters |= isLower(c);
      charset &= isLower(c) || isDigit(c) || c == '-';
    }
    if (!charset) {
      problems.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
    }
    if (!letters) {
      problems.add("must contain at least one letter (a-z)");
    }
    if (value.contains("--")) {
      problems.add("must not contain consecutive hyphens");
    }
    if (value.startsWith("-") || value.endsWith("-")) {
      problems.add("must not begin or end with a hyphen");
    }
    return problems;
  }

  public static List<String> portNumber(long value) {
    return value >= 1 && value <= 65535 ? List.of() : List.of(between(1, 65535));
  }

  /// Any printable ASCII but `=`, the rule since 1.32.
  public static List<String> environmentVariable(String value) {
    if (value.isEmpty()) {
      return List.of("environment variable name must be non-empty");
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' || c > '~' || c == '=') {
        return List.of(
            "a valid environment variable name must consist only of printable ASCII characters"
                + " other than '='");
      }
    }
    return List.of();
  }

  /// A key in the data of a ConfigMap or Secret; becomes a file name when it is mounted.
  public static List<String> configMapKey(String value) {
    List<String> problems = new ArrayList<>(0);
    limit(problems, value, SUBDOMAIN_MAX);
    boolean charset = !value.isEmpty();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      charset &= isAlphanumeric(c) || c == '-' || c == '_' || c == '.';
    }
    if (!charset) {
      problems.add(CONFIG_KEY_PROBLEM);
    }
    if (value.equals(".") || value.equals("..")) {
      problems.add("must not be '" + value + "'");
    } else if (value.startsWith("..")) {
      problems.add("must not start with '..'");
    }
    return problems;
  }

  public static List<String> cIdentifier(String value) {
    boolean fine = !value.isEmpty() && !isDigit(value.charAt(0));
    for (int i = 0; i < value.length(); i++) {
      fine &= isAlphanumeric(value.charAt(i)) || value.charAt(i) == '_';
    }
    return fine ? List.of() : List.of(C_IDENTIFIER_PROBLEM);
  }

  public static List<String> httpHeader(String value) {
    boolean fine = !value.isEmpty();
    for (int i = 0; i < value.length(); i++) {
      fine &= isAlphanumeric(value.charAt(i)) || value.charAt(i) == '-';
    }
    return fine ? List.of() : List.of(HEADER_PROBLEM);
  }

  /// `25%`.
  public static List<String> percent(String value) {
    boolean fine = value.length() > 1 && value.endsWith("%");
    for (int i = 0; i < value.length() - 1; i++) {
      fine &= isDigit(value.charAt(i));
    }
    return fine ? List.of() : List.of(PERCENT_PROBLEM);
  }

  /// What to check instead of a generateName: a random suffix follows, so a last hyphen is fine.
  public static String maskTrailingDash(String prefix) {
    return prefix.length() > 1 && prefix.endsWith("-")
        ? prefix.substring(0, prefix.length() - 2) + "a"
        : prefix;
  }

  /// `must be between 1 and 65535, inclusive`.
  public static String between(long low, long high) {
    return "must be between " + low + " and " + high + ", inclusive";
  }

  private static void limit(List<String> problems, String value, int max) {
    if (bytes(value) > max) {
      problems.add("must be no more than " + max + " characters");
    }
  }

  // Label keys and values speak of bytes where all other names speak of characters.
  private static String noMoreBytesThan(int max) {
    return "must be no more than " + max + " bytes";
  }

  private static int bytes(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) >= 0x80) {
        return value.getBytes(StandardCharsets.UTF_8).length;
      }
    }
    return value.length();
  }

  private static String pattern(String problem, String pattern, String... examples) {
    StringBuilder text = new StringBuilder(problem).append(" (e.g. ");
    String separator = "";
    for (String example : examples) {
      text.append(separator).append('\'').append(example).append("', ");
      separator = " or ";
    }
    return text.append("regex used for validation is '").append(pattern).append("')").toString();
  }

  private static boolean isSubdomain(String value) {
    int start = 0;
    for (int dot = value.indexOf('.'); dot >= 0; dot = value.indexOf('.', start)) {
      if (!isLabel(value, start, dot, false)) {
        return false;
      }
      start = dot + 1;
    }
    return isLabel(value, start, value.length(), false);
  }

  private static boolean isLabel(String value, int start, int end, boolean beginsWithLetter) {
    if (start >= end || value.charAt(start) == '-' || value.charAt(end - 1) == '-') {
      return false;
    }
    if (beginsWithLetter && isDigit(value.charAt(start))) {
      return false;
    }
    for (int i = start; i < end; i++) {
      char c = value.charAt(i);
      if (!isLower(c) && !isDigit(c) && c != '-') {
        return false;
      }
    }
    return true;
  }

  private static boolean isQualifiedPart(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      boolean edge = i == 0 || i == value.length() - 1;
      if (!isAlphanumeric(c) && (edge || (c != '-' && c != '_' && c != '.'))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLower(char c) {
    return c >= 'a' && c <= 'z';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isAlphanumeric(char c) {
    return isLower(c) || isDigit(c) || (c >= 'A' && c <= 'Z');
  }
}
