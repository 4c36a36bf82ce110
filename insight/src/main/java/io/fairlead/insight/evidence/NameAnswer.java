package io.fairlead.insight.evidence;

import java.util.List;

/// What a DNS server says about a name.
///
/// @param server whom it was asked
/// @param rcode `NOERROR`, `NXDOMAIN`…; `NODATA` for a name without records of the types asked for
/// @param addresses in the order of the answer
/// @param aliases the targets of CNAME records on the way, without their last dots
/// @param ttl of the first record; 0 without one
public record NameAnswer(
    String server,
    String name,
    String rcode,
    List<String> addresses,
    List<String> aliases,
    int ttl) {
  /// The word in place of an rcode when the server is silent.
  public static final String NO_ANSWER = "NO_ANSWER";

  public NameAnswer {
    addresses = List.copyOf(addresses);
    aliases = List.copyOf(aliases);
  }
}
