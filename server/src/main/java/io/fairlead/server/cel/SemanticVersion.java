package io.fairlead.server.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A version by the rules of semver.org. What is built after `+` does not count.
record SemanticVersion(long major, long minor, long patch, List<String> preRelease)
    implements Comparable<SemanticVersion> {
  private static final String NUMBER = "(0|[1-9][0-9]{0,17})";
  private static final Pattern FORM =
      Pattern.compile(
          NUMBER
              + "\\."
              + NUMBER
              + "\\."
              + NUMBER
              + "(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?");

  static @Nullable SemanticVersion parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    String pre = matcher.group(4);
    return new SemanticVersion(
        Long.parseLong(matcher.group(1)),
        Long.parseLong(matcher.group(2)),
        Long.parseLong(matcher.group(3)),
        pre == null ? List.of() : List.of(pre.split("\\.", -1)));
  }

  /// Adds what a sloppy version leaves out: a leading `v` goes, `1.2` becomes `1.2.0`.
  static String normalized(String text) {
    String plain = text.startsWith("v") ? text.substring(1) : text;
    int end = 0;
    while (end < plain.length() && "-+".indexOf(plain.charAt(end)) < 0) {
      end++;
    }
    String[] parts = plain.substring(0, end).split("\\.", -1);
    StringBuilder numbers = new StringBuilder();
    for (int at = 0; at < Math.max(3, parts.length); at++) {
      String part = at < parts.length ? parts[at].replaceFirst("^0+(?=[0-9])", "") : "0";
      numbers.append(at == 0 ? "" : ".").append(part);
    }
    return numbers + plain.substring(end);
  }

  @Override
  public int compareTo(SemanticVersion other) {
    int compared = Long.compare(major, other.major);
    compared = compared != 0 ? compared : Long.compare(minor, other.minor);
    compared = compared != 0 ? compared : Long.compare(patch, other.patch);
    if (compared != 0 || preRelease.equals(other.preRelease)) {
      return compared;
    }
    if (preRelease.isEmpty() || other.preRelease.isEmpty()) {
      return preRelease.isEmpty() ? 1 : -1;
    }
    for (int at = 0; at < Math.min(preRelease.size(), other.preRelease.size()); at++) {
      compared = compareParts(preRelease.get(at), other.preRelease.get(at));
      if (compared != 0) {
        return compared;
      }
    }
    return Integer.compare(preRelease.size(), other.preRelease.size());
  }

  private static int compareParts(String one, String two) {
    boolean left = one.chars().allMatch(Character::isDigit);
    boolean right = two.chars().allMatch(Character::isDigit);
    if (left && right) {
      return new BigInteger(one).compareTo(new BigInteger(two));
    }
    return left == right ? one.compareTo(two) : left ? -1 : 1;
  }
}
