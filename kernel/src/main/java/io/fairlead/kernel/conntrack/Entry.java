package io.fairlead.kernel.conntrack;

/// A connection as the kernel tracks it.
///
/// @param original as the first packet was sent
/// @param reply as answers come: its source is where the connection really went
/// @param status bits of `IPS_...`
/// @param timeoutSeconds after how long without a packet it is forgotten
/// @param id tells entries with equal tuples apart
/// @param zone a number space of its own, 0 by default
public record Entry(
    Tuple original, Tuple reply, int status, int timeoutSeconds, int mark, int id, int zone) {
  private static final int DESTINATION_TRANSLATED = 0x20;
  private static final int SOURCE_TRANSLATED = 0x10;

  /// Whether its destination was replaced.
  public boolean destinationTranslated() {
    return (status & DESTINATION_TRANSLATED) != 0;
  }

  /// Whether its source was replaced.
  public boolean sourceTranslated() {
    return (status & SOURCE_TRANSLATED) != 0;
  }
}
