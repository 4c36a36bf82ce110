package io.fairlead.kernel.nftables;

/// What becomes of a packet.
///
/// @param code `NF_...` or `NFT_...`
/// @param chain where to, for jumps; empty otherwise
public record Verdict(int code, String chain) {
  public static final Verdict DROP = new Verdict(0, "");
  public static final Verdict ACCEPT = new Verdict(1, "");
  public static final Verdict RETURN = new Verdict(-5, "");

  private static final int CODE_JUMP = -3;
  private static final int CODE_GOTO = -4;

  public static Verdict jump(String chain) {
    return new Verdict(CODE_JUMP, chain);
  }

  /// Like a jump that does not come back.
  public static Verdict go(String chain) {
    return new Verdict(CODE_GOTO, chain);
  }

  @Override
  public String toString() {
    return switch (code) {
      case 0 -> "drop";
      case 1 -> "accept";
      case -1 -> "continue";
      case -5 -> "return";
      case CODE_JUMP -> "jump " + chain;
      case CODE_GOTO -> "goto " + chain;
      default -> "verdict " + code;
    };
  }
}
