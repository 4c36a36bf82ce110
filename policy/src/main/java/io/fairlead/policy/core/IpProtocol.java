package io.fairlead.policy.core;

import java.util.Optional;

/// The transport protocols a policy can name.
public enum IpProtocol {
  TCP(6),
  UDP(17),
  SCTP(132);

  private final int number;

  IpProtocol(int number) {
    this.number = number;
  }

  /// The number in the IP header.
  public int number() {
    return number;
  }

  /// By the text in an object; empty for one that is not known.
  static Optional<IpProtocol> of(String text) {
    for (IpProtocol protocol : values()) {
      if (protocol.name().equals(text)) {
        return Optional.of(protocol);
      }
    }
    return Optional.empty();
  }

  /// `TCP`, `ICMP`, `protocol 47`.
  public static String text(int number) {
    for (IpProtocol protocol : values()) {
      if (protocol.number == number) {
        return protocol.name();
      }
    }
    return switch (number) {
      case 1 -> "ICMP";
      case 58 -> "ICMPv6";
      default -> "protocol " + number;
    };
  }
}
