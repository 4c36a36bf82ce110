package io.fairlead.proxy.core;

import java.util.Locale;

/// The transport protocols a Service can have.
public enum Protocol {
  TCP(6),
  UDP(17),
  SCTP(132);

  private final int number;
  private final String lower = name().toLowerCase(Locale.ROOT);

  Protocol(int number) {
    this.number = number;
  }

  /// Reads `TCP`, `UDP` or `SCTP`; an absent protocol, and any other text, is TCP, the API's
  /// default.
  public static Protocol of(String text) {
    return switch (text) {
      case "UDP" -> UDP;
      case "SCTP" -> SCTP;
      default -> TCP;
    };
  }

  /// The number in the IP header.
  public int number() {
    return number;
  }

  /// `tcp`, `udp` or `sctp`, as the kernel's tools write it.
  public String lower() {
    return lower;
  }
}
