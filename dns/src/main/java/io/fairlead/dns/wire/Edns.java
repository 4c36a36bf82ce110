package io.fairlead.dns.wire;

import java.util.List;
import java.util.Optional;

/// What an OPT record says (RFC 6891), apart from the upper bits of the rcode.
///
/// @param udpSize how much the sender can take
/// @param dnssecOk the DO bit
public record Edns(int udpSize, int version, boolean dnssecOk, List<EdnsOption> options) {
  public Edns {
    options = List.copyOf(options);
  }

  public Optional<EdnsOption> option(int code) {
    return options.stream().filter(option -> option.code() == code).findFirst();
  }
}
