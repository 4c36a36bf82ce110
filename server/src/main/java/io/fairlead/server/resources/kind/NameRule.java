package io.fairlead.server.resources.kind;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// What names a kind accepts.
@FunctionalInterface
public interface NameRule {
  /// `a-b.c`: what most kinds accept.
  NameRule SUBDOMAIN =
      (name, prefix, _) ->
          check(
              masked(name, prefix),
              253,
              "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
              "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters,"
                  + " '-' or '.', and must start and end with an alphanumeric character (e.g."
                  + " 'example.com', regex used for validation is '");

  /// `a-b`: at most 63 characters, no dots.
  NameRule LABEL =
      (name, prefix, _) ->
          check(
              masked(name, prefix),
              63,
              "[a-z0-9]([-a-z0-9]*[a-z0-9])?",
              "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or"
                  + " '-', and must start and end with an alphanumeric character (e.g. 'my-name', "
                  + " or '123-abc', regex used for validation is '");

  /// Anything that can stand between two slashes: names of roles, such as `system:node`.
  NameRule PATH_SEGMENT =
      (name, prefix, _) -> {
        if (!prefix && (name.equals(".") || name.equals(".."))) {
          return List.of("may not be '" + name + "'");
        }
        List<String> problems = new ArrayList<>();
        for (String banned : List.of("/", "%")) {
          if (name.contains(banned)) {
            problems.add("may not contain '" + banned + "'");
          }
        }
        return problems;
      };

  /// Problems of the name, as texts; none when it is fine. `prefix` when it is a generateName.
  List<String> problems(String name, boolean prefix, int emulatedMinor);

  /// A prefix may end in a hyphen: the generated part follows.
  static String masked(String name, boolean prefix) {
    return prefix && name.length() > 1 && name.endsWith("-")
        ? name.substring(0, name.length() - 1) + "a"
        : name;
  }

  private static List<String> check(String name, int longest, String regex, String text) {
    List<String> problems = new ArrayList<>();
    if (name.length() > longest) {
      problems.add("must be no more than " + longest + " characters");
    }
    if (!Pattern.matches(regex, name)) {
      problems.add(text + regex + "')");
    }
    return problems;
  }
}
