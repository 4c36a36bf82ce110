package io.fairlead.agent.image;

import io.fairlead.agent.node.MachineInfo;
import io.fairlead.agent.runtime.RuntimeFailure;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;

/// The image of the program that holds a sandbox open: one that waits for ever and needs nothing.
///
/// The program is an executable of a hundred bytes, written out here: it calls `pause` in a loop.
/// So a node without any registry can make sandboxes.
public final class PauseImage {
  /// The name under which an engine looks for it.
  public static final String REFERENCE = "fairlead.local/pause:1";

  private static final int HEADER = 64;
  private static final int PROGRAM_HEADER = 56;
  private static final long BASE = 0x400000;
  private static final short EXECUTABLE = 2; // ET_EXEC, elf.h
  private static final short X86_64 = 62; // EM_X86_64, elf.h
  private static final int LOAD = 1; // PT_LOAD
  private static final int READ_EXECUTE = 5; // PF_R | PF_X

  /// mov eax, 34 (pause); syscall; jmp back
  private static final String X86_64_CODE = "b8220000000f05ebf7";

  private PauseImage() {}

  /// An archive to import.
  ///
  /// @throws RuntimeFailure on a machine it is not written for
  public static byte[] archive() {
    if (!MachineInfo.architecture().equals("amd64")) {
      throw new RuntimeFailure(
          "ContainerCreating",
          "a containerd of one's own needs an amd64 machine so far: this is "
              + MachineInfo.architecture()
              + "; give the socket of one that runs already");
    }
    TarWriter layer = new TarWriter().file("pause", 0755, program());
    return OciImage.of(layer.bytes(), List.of("/pause"), List.of(), List.of()).archive(REFERENCE);
  }

  private static byte[] program() {
    byte[] code = HexFormat.of().parseHex(X86_64_CODE);
    int size = HEADER + PROGRAM_HEADER + code.length;
    ByteBuffer elf = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    elf.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    elf.putShort(EXECUTABLE).putShort(X86_64).putInt(1);
    elf.putLong(BASE + HEADER + PROGRAM_HEADER); // where it begins
    elf.putLong(HEADER).putLong(0).putInt(0);
    elf.putShort((short) HEADER).putShort((short) PROGRAM_HEADER).putShort((short) 1);
    elf.putShort((short) 0).putShort((short) 0).putShort((short) 0);
    elf.putInt(LOAD).putInt(READ_EXECUTE);
    elf.putLong(0).putLong(BASE).putLong(BASE).putLong(size).putLong(size).putLong(0x1000);
    elf.put(code);
    return elf.array();
  }
}
