package io.fairlead.proxy.flows;

/// One row of the table.
///
/// @param id the number of the vector
/// @param live whether it can be tried with real packets
public record Flow(
    String id,
    Setup setup,
    Origin from,
    Destination to,
    Expected iptables,
    Expected nftables,
    boolean live) {

  public Expected expected(Mode mode) {
    return switch (mode) {
      case IPTABLES -> iptables;
      case NFTABLES -> nftables;
    };
  }

  @Override
  public String toString() {
    return id + " " + from + " -> " + to + (setup == Setup.STANDARD ? "" : " with " + setup);
  }
}
