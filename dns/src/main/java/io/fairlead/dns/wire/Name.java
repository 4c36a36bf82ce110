package io.fairlead.dns.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A domain name, always absolute: labels in wire form, ending with the root. Keeps its spelling
/// and compares without regard to ASCII case (RFC 4343). Immutable.
public final class Name implements Comparable<Name> {
  /// The longest name, its closing root included.
  public static final int LONGEST = 255;

  /// The longest label.
  public static final int LONGEST_LABEL = 63;

  public static final Name ROOT = new Name(new byte[] {0});

  private final byte[] wire;
  private final int hash;

  private Name(byte[] wire) {
    this.wire = wire;
    this.hash = hash(wire, 0, wire.length);
  }

  /// Reads `crane.harbor.svc.cluster.local`, with or without the last dot; `\.` and `\046` escape.
  /// IllegalArgumentException when that is no name.
  public static Name of(String text) {
    Name name = parseOrNull(text);
    if (name == null) {
      throw new IllegalArgumentException("not a domain name: " + text);
    }
    return name;
  }

  /// As [#of], or null when the text is no name: an empty label, or one or all of them too long.
  public static @Nullable Name parseOrNull(String text) {
    return NameText.parse(text);
  }

  /// Takes uncompressed wire form that was checked before, ending with the root label.
  public static Name ofWire(byte[] bytes, int from, int length) {
    return length == 1 ? ROOT : new Name(Arrays.copyOfRange(bytes, from, from + length));
  }

  /// The bytes of the wire form, the root included.
  public int length() {
    return wire.length;
  }

  public byte at(int index) {
    return wire[index];
  }

  public void copyTo(byte[] target, int at) {
    System.arraycopy(wire, 0, target, at, wire.length);
  }

  public byte[] toWire() {
    return wire.clone();
  }

  public boolean isRoot() {
    return wire.length == 1;
  }

  /// How many labels, the root not counted.
  public int labelCount() {
    int count = 0;
    for (int at = 0; wire[at] != 0; at += wire[at] + 1) {
      count++;
    }
    return count;
  }

  /// The labels from left to right, as they are escaped in text.
  public List<String> labels() {
    List<String> labels = new ArrayList<>();
    for (int at = 0; wire[at] != 0; at += wire[at] + 1) {
      StringBuilder text = new StringBuilder();
      NameText.append(text, wire, at + 1, wire[at]);
      labels.add(text.toString());
    }
    return labels;
  }

  /// Without its first so many labels; the root when it has no more.
  public Name skip(int labels) {
    int at = 0;
    for (int i = 0; i < labels && wire[at] != 0; i++) {
      at += wire[at] + 1;
    }
    return at == 0 ? this : ofWire(wire, at, wire.length - at);
  }

  /// The name one label up; the root's parent is the root.
  public Name parent() {
    return skip(1);
  }

  /// Whether it is that name or below it.
  public boolean isUnder(Name zone) {
    int at = wire.length - zone.wire.length;
    return at >= 0 && isLabelStart(at) && same(wire, at, zone.wire, 0, zone.wire.length);
  }

  private boolean isLabelStart(int wanted) {
    int at = 0;
    while (at < wanted) {
      at += wire[at] + 1;
    }
    return at == wanted;
  }

  /// What stands left of the zone, as a name of its own: `crane.harbor.svc` for
  /// `crane.harbor.svc.cluster.local` under `cluster.local`. This name itself when it is not under
  /// the zone.
  public Name without(Name zone) {
    if (!isUnder(zone)) {
      return this;
    }
    byte[] left = Arrays.copyOf(wire, wire.length - zone.wire.length + 1);
    left[left.length - 1] = 0;
    return ofWire(left, 0, left.length);
  }

  /// The last part of this name, as long as the zone: the zone in this name's spelling.
  public Name tail(Name zone) {
    return isUnder(zone) ? ofWire(wire, wire.length - zone.wire.length, zone.wire.length) : zone;
  }

  /// This name's labels followed by another's, or null when that is too long.
  public @Nullable Name append(Name suffix) {
    int length = wire.length - 1 + suffix.wire.length;
    if (length > LONGEST) {
      return null;
    }
    byte[] joined = Arrays.copyOf(wire, length);
    suffix.copyTo(joined, wire.length - 1);
    return ofWire(joined, 0, length);
  }

  /// The name one label further down; IllegalArgumentException when that is none.
  public Name child(String label) {
    Name name = of(label).append(this);
    if (name == null) {
      throw new IllegalArgumentException("name too long: " + label + "." + this);
    }
    return name;
  }

  public Name lowerCase() {
    byte[] lower = new byte[wire.length];
    boolean changed = false;
    for (int i = 0; i < wire.length; i++) {
      lower[i] = lower(wire[i]);
      changed |= lower[i] != wire[i];
    }
    return changed ? new Name(lower) : this;
  }

  /// Whether the other has the same spelling, too.
  public boolean sameSpelling(Name other) {
    return Arrays.equals(wire, other.wire);
  }

  /// The lower case of an ASCII letter, any other byte itself. Lengths of labels are below `A`, so
  /// whole names can be folded byte by byte.
  public static byte lower(byte b) {
    return b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
  }

  /// The hash that [#hashCode] gives for the same bytes.
  public static int hash(byte[] bytes, int from, int length) {
    int hash = 0;
    for (int i = from; i < from + length; i++) {
      hash = 31 * hash + lower(bytes[i]);
    }
    return hash;
  }

  /// Whether two stretches are the same but for case.
  public static boolean same(byte[] left, int leftFrom, byte[] right, int rightFrom, int length) {
    for (int i = 0; i < length; i++) {
      byte a = left[leftFrom + i];
      byte b = right[rightFrom + i];
      if (a != b && lower(a) != lower(b)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Name name
        && hash == name.hash
        && wire.length == name.wire.length
        && same(wire, 0, name.wire, 0, wire.length);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /// Canonical order (RFC 4034 6.1): by labels from the right, without case.
  @Override
  public int compareTo(Name other) {
    int[] mine = starts();
    int[] theirs = other.starts();
    for (int i = 1; i <= Math.min(mine.length, theirs.length); i++) {
      int byLabel =
          compareLabel(wire, mine[mine.length - i], other.wire, theirs[theirs.length - i]);
      if (byLabel != 0) {
        return byLabel;
      }
    }
    return Integer.compare(mine.length, theirs.length);
  }

  private int[] starts() {
    int[] starts = new int[labelCount()];
    int at = 0;
    for (int i = 0; i < starts.length; i++) {
      starts[i] = at;
      at += wire[at] + 1;
    }
    return starts;
  }

  private static int compareLabel(byte[] left, int leftAt, byte[] right, int rightAt) {
    int shorter = Math.min(left[leftAt], right[rightAt]);
    for (int i = 1; i <= shorter; i++) {
      int difference = (lower(left[leftAt + i]) & 0xff) - (lower(right[rightAt + i]) & 0xff);
      if (difference != 0) {
        return difference;
      }
    }
    return left[leftAt] - right[rightAt];
  }

  /// Master file form, with the last dot: `crane.harbor.svc.cluster.local.`, `.`.
  @Override
  public String toString() {
    return NameText.print(wire);
  }
}
