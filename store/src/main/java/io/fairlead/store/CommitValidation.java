package io.fairlead.store;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The rules every engine applies to keys and commits before it touches anything.
public final class CommitValidation {
  /// Orders keys as their UTF-8 bytes do, which is the order of code points. Differs from the
  /// natural order of strings only where surrogates meet characters above U+DFFF.
  public static final Comparator<String> ORDER = CommitValidation::compare;

  private CommitValidation() {}

  /// Refuses commits that no engine can apply: an empty or malformed key, or a key written twice.
  public static void check(List<Write> writes) {
    if (writes.size() == 1) {
      check(writes.getFirst().key());
      return;
    }
    Set<String> written = new HashSet<>();
    for (Write write : writes) {
      check(write.key());
      if (!(write instanceof Write.Check) && !written.add(write.key())) {
        throw new IllegalArgumentException("a commit writes a key once: " + write.key());
      }
    }
  }

  /// Refuses an empty key and one that has no UTF-8 form.
  public static void check(String key) {
    if (key.isEmpty()) {
      throw new IllegalArgumentException("a key is not empty");
    }
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (!Character.isSurrogate(c)) {
        continue;
      }
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < key.length()
              && Character.isLowSurrogate(key.charAt(i + 1));
      if (!pair) {
        throw new IllegalArgumentException("a key is well-formed text: half a surrogate at " + i);
      }
      i++;
    }
  }

  private static int compare(String a, String b) {
    int n = Math.min(a.length(), b.length());
    for (int i = 0; i < n; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        return Integer.compare(codePointRank(x), codePointRank(y));
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  /// Surrogates stand for code points above all other characters, so they rank behind them.
  private static int codePointRank(char c) {
    return Character.isSurrogate(c) ? c + 0x10000 : c;
  }
}
