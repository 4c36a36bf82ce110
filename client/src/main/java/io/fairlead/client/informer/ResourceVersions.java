package io.fairlead.client.informer;

/// Compares resource versions of one kind. They are decimal numbers that may outgrow a long; a
/// version of any other shape cannot be compared and counts as equal to everything.
public final class ResourceVersions {
  private ResourceVersions() {}

  public static int compare(String left, String right) {
    if (!isNumber(left) || !isNumber(right)) {
      return 0;
    }
    return left.length() == right.length()
        ? left.compareTo(right)
        : Integer.compare(left.length(), right.length());
  }

  private static boolean isNumber(String version) {
    for (int i = 0; i < version.length(); i++) {
      if (version.charAt(i) < '0' || version.charAt(i) > '9') {
        return false;
      }
    }
    return !version.isEmpty();
  }
}
