package io.fairlead.server.resources.custom;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Comparator;

/// The order of API versions: `v2`, `v1`, `v1beta2`, `v1beta1`, `v1alpha1`, then all other names by
/// the alphabet.
public final class VersionOrder {
  public static final Comparator<String> NEWEST_FIRST = VersionOrder::compare;

  private static final Pattern VERSION =
      Pattern.compile("v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?");

  private VersionOrder() {}

  /// What a version is made of.
  private record Parsed(int stability, long major, long minor) {
    static Parsed of(String version) {
      Matcher matcher = VERSION.matcher(version);
      if (version.length() > 30 || !matcher.matches()) {
        return new Parsed(0, 0, 0);
      }
      String stage = matcher.group(2);
      int stability = stage == null ? 3 : stage.equals("beta") ? 2 : 1;
      return new Parsed(
          stability, number(matcher.group(1)), stage == null ? 0 : number(matcher.group(3)));
    }

    private static long number(String digits) {
      return digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits);
    }
  }

  private static int compare(String one, String two) {
    Parsed left = Parsed.of(one);
    Parsed right = Parsed.of(two);
    if (left.stability() != right.stability()) {
      return Integer.compare(right.stability(), left.stability());
    }
    if (left.stability() == 0) {
      return one.compareTo(two);
    }
    int major = Long.compare(right.major(), left.major());
    return major != 0 ? major : Long.compare(right.minor(), left.minor());
  }
}
