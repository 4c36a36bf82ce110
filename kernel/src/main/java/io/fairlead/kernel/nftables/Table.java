package io.fairlead.kernel.nftables;

/// The name of a table.
public record Table(NftFamily family, String name) {
  @Override
  public String toString() {
    return family.word() + " " + name;
  }
}
