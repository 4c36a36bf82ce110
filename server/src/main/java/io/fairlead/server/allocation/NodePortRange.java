package io.fairlead.server.allocation;

import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The node ports that can be given out.
public record NodePortRange(int first, int last) {
  /// What is chosen when nothing is free.
  public static final int NONE = (int) AllocationRange.NONE;

  private static final Pattern FORM = Pattern.compile("(\\d{1,5})-(\\d{1,5})");
  private static final int LEAST_RESERVED = 16;
  private static final int MOST_RESERVED = 128;

  public NodePortRange {
    if (first < 1 || last > 65535 || first > last) {
      throw new IllegalArgumentException(
          "a port range lies within 1-65535 and does not end before it begins, got "
              + first
              + "-"
              + last);
    }
  }

  /// Reads `30000-32767`.
  public static NodePortRange parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "a port range looks like 30000-32767, got \"" + text + "\"");
    }
    return new NodePortRange(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)));
  }

  public boolean contains(int port) {
    return port >= first && port <= last;
  }

  /// A free port, or [#NONE] when all are taken.
  public int pick(IntPredicate isFree, RandomGenerator random) {
    return (int)
        new AllocationRange(first, size(), reserved())
            .pick(candidate -> isFree.test((int) candidate), random);
  }

  private int size() {
    return last - first + 1;
  }

  private int reserved() {
    return size() <= LEAST_RESERVED
        ? 0
        : Math.min(Math.max(LEAST_RESERVED, size() / 32), MOST_RESERVED);
  }

  @Override
  public String toString() {
    return first + "-" + last;
  }
}
