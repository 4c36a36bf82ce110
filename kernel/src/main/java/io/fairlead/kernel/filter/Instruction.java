package io.fairlead.kernel.filter;

/// One instruction of the classic packet filter, `struct sock_filter` of linux/filter.h.
///
/// @param code what it does
/// @param whenTrue how many instructions a comparison that holds skips
/// @param whenFalse how many one that does not hold skips
/// @param value what it works with
record Instruction(int code, int whenTrue, int whenFalse, int value) {
  static final int BYTES = 8;

  private static final int LOAD_WORD = 0x20; // BPF_LD | BPF_W | BPF_ABS
  private static final int AND = 0x54; // BPF_ALU | BPF_AND | BPF_K
  private static final int EQUAL = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
  private static final int RETURN = 0x06; // BPF_RET | BPF_K

  static Instruction load(int offset) {
    return new Instruction(LOAD_WORD, 0, 0, offset);
  }

  static Instruction and(int mask) {
    return new Instruction(AND, 0, 0, mask);
  }

  /// Goes on when the word is that value, else skips.
  static Instruction equalOrSkip(int value, int skipped) {
    return new Instruction(EQUAL, 0, skipped, value);
  }

  /// Ends: the whole packet is heard.
  static Instruction accept() {
    return new Instruction(RETURN, 0, 0, -1);
  }

  /// Ends: nobody hears of the packet.
  static Instruction drop() {
    return new Instruction(RETURN, 0, 0, 0);
  }
}
