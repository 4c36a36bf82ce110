package io.fairlead.kernel.route;

/// One instruction of the classic packet filter, `struct sock_filter` of linux/filter.h.
///
/// @param code what it does
/// @param whenTrue how many instructions a comparison that holds skips
/// @param whenFalse how many one that does not hold skips
/// @param value what it works with
public record BpfInstruction(int code, int whenTrue, int whenFalse, int value) {
  public static final int BYTES = 8;

  private static final int LOAD_WORD = 0x20; // BPF_LD | BPF_W | BPF_ABS
  private static final int AND = 0x54; // BPF_ALU | BPF_AND | BPF_K
  private static final int EQUAL = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
  private static final int RETURN = 0x06; // BPF_RET | BPF_K

  public static BpfInstruction load(int offset) {
    return new BpfInstruction(LOAD_WORD, 0, 0, offset);
  }

  public static BpfInstruction and(int mask) {
    return new BpfInstruction(AND, 0, 0, mask);
  }

  /// Goes on when the word is that value, else skips.
  public static BpfInstruction equalOrSkip(int value, int skipped) {
    return new BpfInstruction(EQUAL, 0, skipped, value);
  }

  /// Ends: the whole packet is heard.
  public static BpfInstruction accept() {
    return new BpfInstruction(RETURN, 0, 0, -1);
  }

  /// Ends: no socket gets the packet.
  public static BpfInstruction drop() {
    return new BpfInstruction(RETURN, 0, 0, 0);
  }
}
