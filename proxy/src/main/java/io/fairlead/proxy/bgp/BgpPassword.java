package io.fairlead.proxy.bgp;

import java.util.Optional;

/// What signs the packets of a session (RFC 2385). Shown nowhere: its text is stars.
///
/// @param text printable ASCII without a quotation mark, so that it stands between two of them as
///   it is; the kernel takes 80 bytes at most
public record BgpPassword(String text) {
  private static final int LONGEST = 80;

  public BgpPassword {
    if (!isUsable(text)) {
      throw new IllegalArgumentException("not usable as a password");
    }
  }

  /// The password, unless the text is not usable as one.
  public static Optional<BgpPassword> of(String text) {
    return isUsable(text) ? Optional.of(new BgpPassword(text)) : Optional.empty();
  }

  private static boolean isUsable(String text) {
    return !text.isEmpty()
        && text.length() <= LONGEST
        && text.chars().allMatch(one -> one >= ' ' && one <= '~' && one != '"');
  }

  @Override
  public String toString() {
    return "***";
  }
}
