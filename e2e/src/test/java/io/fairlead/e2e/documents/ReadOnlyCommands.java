package io.fairlead.e2e.documents;

import java.util.regex.Pattern;

/// Tells commands that only look from those that change something: the former may be typed again
/// until they show what is expected.
final class ReadOnlyCommands {
  private static final Pattern LOOKS =
      Pattern.compile(
          "(?s)(?:sudo )?(?:\\w+=\\S+ )*(?:"
              + "kubectl (?:-n \\S+ )?(?:get|describe|logs|explain|auth|exec)\\b"
              + "|curl\\b|dig\\b|for \\w+ in\\b|cat\\b|ls\\b|grep\\b"
              + "|nft list\\b|iptables-save\\b|ipvsadm -ln\\b|ip (?:-\\S+ )*(?:addr|route|link|rule)\\b"
              + "|(?:\\./)?fairlead (?:dns|rules|status|explain|trace|top|env|doctor|version)\\b"
              + "|(?:\\./)?fairlead mode$"
              + ").*");
  private static final Pattern CHANGES =
      Pattern.compile(
          "(?s).*\\b(?:kubectl (?:-n \\S+ )?(?:apply|create|delete|patch|scale)|fairlead (?:up|down))\\b.*");

  private ReadOnlyCommands() {}

  static boolean only(String command) {
    return LOOKS.matcher(command).matches() && !CHANGES.matcher(command).matches();
  }
}
