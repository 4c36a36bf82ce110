package io.fairlead.agent.cri;

import io.fairlead.agent.runtime.RuntimeFailure;
import java.util.regex.Pattern;

/// What the name of an image may look like. Pure.
///
/// The grammar is that of the distribution specification: an optional registry, components in lower
/// case, a tag, a digest.
final class ImageNames {
  private static final String COMPONENT = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
  private static final String HOST =
      "(?:(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])"
          + "(?:\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*|\\[[a-fA-F0-9:]+\\])"
          + "(?::[0-9]+)?";
  private static final Pattern NAME =
      Pattern.compile(
          "(?:"
              + HOST
              + "/)?"
              + COMPONENT
              + "(?:/"
              + COMPONENT
              + ")*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?"
              + "(?:@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?");
  private static final int LONGEST = 1024;

  private ImageNames() {}

  /// @throws RuntimeFailure `InvalidImageName` for what can name no image
  static void check(String name) {
    // Length first: no pattern is tried on what cannot be a name.
    if (name.length() > LONGEST || !NAME.matcher(name).matches()) {
      throw new RuntimeFailure(
          "InvalidImageName",
          "Failed to apply default image tag \""
              + name
              + "\": couldn't parse image name \""
              + name
              + "\": invalid reference format");
    }
  }
}
