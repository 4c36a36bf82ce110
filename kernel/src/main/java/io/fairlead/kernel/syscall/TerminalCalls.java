package io.fairlead.kernel.syscall;

import static io.fairlead.kernel.syscall.NativeFunctionLinker.INT;
import static io.fairlead.kernel.syscall.NativeFunctionLinker.LONG;
import static io.fairlead.kernel.syscall.NativeFunctionLinker.POINTER;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// Calls about pseudo terminals: a pair of devices, of which the programs get one and what plays
/// the screen and the keyboard has the other.
public final class TerminalCalls {
  private static final int EIO = 5;
  private static final int O_NOCTTY = 0x100;
  private static final int O_NONBLOCK = 0x800;
  private static final int MASTER = FileCalls.O_RDWR | O_NOCTTY | O_NONBLOCK;
  private static final long TIOCGPTN = 0x80045430L; // asm-generic/ioctls.h
  private static final long TIOCSPTLCK = 0x40045431L;
  private static final long TIOCSWINSZ = 0x5414L;

  private static final class Control {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.variadic("ioctl", FunctionDescriptor.of(INT, INT, LONG, POINTER), 2);
  }

  private static final class Read {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function("read", FunctionDescriptor.of(LONG, INT, POINTER, LONG));
  }

  private TerminalCalls() {}

  /// Makes a pair and opens the side of screen and keyboard, which does not block.
  public static NativeFileDescriptor open() {
    return unlocked(FileCalls.open(Path.of("/dev/ptmx"), MASTER, "pseudo terminal"));
  }

  /// The same with the devices that another process sees.
  static NativeFileDescriptor open(long process) {
    Path root = Path.of("/proc", Long.toString(process), "root");
    try (NativeFileDescriptor directory = PathCalls.mark(root)) {
      return unlocked(PathCalls.openBeneath(directory, "dev/pts/ptmx", MASTER));
    }
  }

  private static NativeFileDescriptor unlocked(NativeFileDescriptor master) {
    try (Arena arena = Arena.ofConfined()) {
      control(master, TIOCSPTLCK, arena.allocateFrom(ValueLayout.JAVA_INT, 0));
      return master;
    } catch (SystemCallException e) {
      master.close();
      throw e;
    }
  }

  /// The number of the programs' side in `/dev/pts`.
  public static int number(NativeFileDescriptor master) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
      control(master, TIOCGPTN, number);
      return number.get(ValueLayout.JAVA_INT, 0);
    }
  }

  /// Sets how large the screen is.
  public static void resize(NativeFileDescriptor master, int columns, int rows) {
    try (Arena arena = Arena.ofConfined()) {
      // struct winsize { unsigned short rows, columns, width, height; }
      MemorySegment size = arena.allocate(8, 2);
      size.set(ValueLayout.JAVA_SHORT, 0, (short) rows);
      size.set(ValueLayout.JAVA_SHORT, 2, (short) columns);
      control(master, TIOCSWINSZ, size);
    }
  }

  private static void control(NativeFileDescriptor master, long request, MemorySegment argument) {
    try {
      int result =
          (int)
              Control.HANDLE.invokeExact(
                  NativeFunctionLinker.state(), master.number(), request, argument);
      FileCalls.checked(master.name(), "ioctl", result);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Reads what programs wrote.
  ///
  /// @return how many bytes; 0 when there are none now, -1 when no program has the terminal any
  ///   more
  public static int read(NativeFileDescriptor master, byte[] into) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(into.length);
      long count =
          (long)
              Read.HANDLE.invokeExact(
                  NativeFunctionLinker.state(), master.number(), buffer, (long) into.length);
      if (count < 0) {
        return refused(master, "read");
      }
      MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, into, 0, (int) count);
      return count == 0 ? -1 : (int) count;
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Types.
  ///
  /// @return how many bytes were taken; 0 when there is no space now, -1 when no program has the
  ///   terminal any more
  public static int write(NativeFileDescriptor master, byte[] from, int offset, int length) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(length);
      MemorySegment.copy(from, offset, buffer, ValueLayout.JAVA_BYTE, 0, length);
      long count = FileCalls.write(master, buffer);
      return count < 0 ? refused(master, "write") : (int) count;
    }
  }

  private static int refused(NativeFileDescriptor master, String call) {
    Errno why = NativeFunctionLinker.errno();
    if (why.equals(Errno.EAGAIN) || why.equals(Errno.EINTR)) {
      return 0;
    }
    if (why.number() == EIO) {
      return -1;
    }
    throw new SystemCallException(master.name(), call, why);
  }
}
