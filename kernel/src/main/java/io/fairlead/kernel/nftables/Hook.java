package io.fairlead.kernel.nftables;

/// Where a base chain is called on a packet's way through the kernel.
///
/// @param type `filter`, `nat` or `route`
/// @param number which hook, `NF_INET_...`
/// @param priority the order among chains of a hook, lowest first
public record Hook(String type, int number, int priority) {
  public static final int PREROUTING = 0;
  public static final int INPUT = 1;
  public static final int FORWARD = 2;
  public static final int OUTPUT = 3;
  public static final int POSTROUTING = 4;
}
