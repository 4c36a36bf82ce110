package io.fairlead.kernel.syscall;

import static io.fairlead.kernel.syscall.Linkage.INT;
import static io.fairlead.kernel.syscall.Linkage.LONG;
import static io.fairlead.kernel.syscall.Linkage.POINTER;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// Calls about pseudo terminals: a pair of devices, of which the programs get one and whoever plays
/// the screen and the keyboard has the other.
public final class TerminalCalls {
  private static final int EIO = 5;
  private static final int O_NOCTTY = 0x100;
  private static final int O_NONBLOCK = 0x800;
  private static final long TIOCGPTN = 0x80045430L; // asm-generic/ioctls.h
  private static final long TIOCSPTLCK = 0x40045431L;
  private static final long TIOCSWINSZ = 0x5414L;

  private static final class Control {
    static final MethodHandle HANDLE =
        Linkage.variadic("ioctl", FunctionDescriptor.of(INT, INT, LONG, POINTER), 2);
  }

  private static final class Read {
    static final MethodHandle HANDLE =
        Linkage.function("read", FunctionDescriptor.of(LONG, INT, POINTER, LONG));
  }

  private TerminalCalls() {}

  /// Makes a pair and opens the side of screen and keyboard, which does not block.
  public static Descriptor open() {
    Descriptor master =
        Files.open(Path.of("/dev/ptmx"), Files.O_RDWR | O_NOCTTY | O_NONBLOCK, "pseudo terminal");
    try (Arena arena = Arena.ofConfined()) {
      control(master, TIOCSPTLCK, arena.allocateFrom(ValueLayout.JAVA_INT, 0));
      return master;
    }
  }

  /// The number of the programs' side in `/dev/pts`.
  public static int number(Descriptor master) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
      control(master, TIOCGPTN, number);
      return number.get(ValueLayout.JAVA_INT, 0);
    }
  }

  /// Tells the programs how large the screen is.
  public static void resize(Descriptor master, int columns, int rows) {
    try (Arena arena = Arena.ofConfined()) {
      // struct winsize { unsigned short rows, columns, width, height; }
      MemorySegment size = arena.allocate(8, 2);
      size.set(ValueLayout.JAVA_SHORT, 0, (short) rows);
      size.set(ValueLayout.JAVA_SHORT, 2, (short) columns);
      control(master, TIOCSWINSZ, size);
    }
  }

  private static void control(Descriptor master, long request, MemorySegment argument) {
    try {
      int result =
          (int) Control.HANDLE.invokeExact(Linkage.state(), master.number(), request, argument);
      Files.checked(master.name(), "ioctl", result);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw Linkage.impossible(e);
    }
  }

  /// Reads what programs wrote.
  ///
  /// @return how many bytes; 0 when there are none now, -1 when no program has the terminal any
  ///   more
  public static int read(Descriptor master, byte[] into) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(into.length);
      long count =
          (long)
              Read.HANDLE.invokeExact(Linkage.state(), master.number(), buffer, (long) into.length);
      if (count < 0) {
        return refused(master, "read");
      }
      MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, into, 0, (int) count);
      return count == 0 ? -1 : (int) count;
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw Linkage.impossible(e);
    }
  }

  /// Types.
  ///
  /// @return how many bytes were taken; 0 when there is no room now, -1 when no program has the
  ///   terminal any more
  public static int write(Descriptor master, byte[] from, int offset, int length) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(length);
      MemorySegment.copy(from, offset, buffer, ValueLayout.JAVA_BYTE, 0, length);
      long count = Files.write(master, buffer);
      return count < 0 ? refused(master, "write") : (int) count;
    }
  }

  private static int refused(Descriptor master, String call) {
    Errno why = Linkage.errno();
    if (why.equals(Errno.EAGAIN) || why.equals(Errno.EINTR)) {
      return 0;
    }
    if (why.number() == EIO) {
      return -1;
    }
    throw new SystemCallException(master.name(), call, why);
  }
}
