package io.fairlead.kernel.nftables;

/// What becomes of a packet.
///
/// @param code `NF_...` or `NFT_...`
/// @param chain where to, for jumps; empty otherwise
public record NftVerdict(int code, String chain) {
  public static final NftVerdict DROP = new NftVerdict(0, "");
  public static final NftVerdict ACCEPT = new NftVerdict(1, "");
  public static final NftVerdict RETURN = new NftVerdict(-5, "");

  private static final int CODE_JUMP = -3;
  private static final int CODE_GOTO = -4;

  public static NftVerdict jump(String chain) {
    return new NftVerdict(CODE_JUMP, chain);
  }

  /// Like a jump that does not come back.
  public static NftVerdict go(String chain) {
    return new NftVerdict(CODE_GOTO, chain);
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
