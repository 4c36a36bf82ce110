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

/// Calls about files, mounts and waiting.
public final class FileCalls {
  public static final int O_RDONLY = 0;
  static final int O_RDWR = 2;
  public static final int O_CLOEXEC = 0x80000;
  public static final int MS_BIND = 0x1000;
  public static final int MS_REC = 0x4000;
  public static final int MS_SHARED = 0x100000;
  public static final int MNT_DETACH = 2;

  /// A descriptor can be read, or its other side is gone.
  public static final short READABLE = 1; // POLLIN

  /// A descriptor takes more.
  public static final short WRITABLE = 4; // POLLOUT

  private static final int EFD_CLOEXEC = 0x80000;
  private static final int EFD_NONBLOCK = 0x800;

  private static final class Open {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function("open", FunctionDescriptor.of(INT, POINTER, INT));
  }

  private static final class Close {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function("close", FunctionDescriptor.of(INT, INT));
  }

  private static final class Mount {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function(
            "mount", FunctionDescriptor.of(INT, POINTER, POINTER, POINTER, LONG, POINTER));
  }

  private static final class Unmount {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function("umount2", FunctionDescriptor.of(INT, POINTER, INT));
  }

  private static final class EventDescriptor {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function("eventfd", FunctionDescriptor.of(INT, INT, INT));
  }

  private static final class Write {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function("write", FunctionDescriptor.of(LONG, INT, POINTER, LONG));
  }

  private static final class Poll {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function("poll", FunctionDescriptor.of(INT, POINTER, LONG, INT));
  }

  private FileCalls() {}

  /// Opens a file for reading; children do not inherit it.
  public static NativeFileDescriptor open(Path path) {
    return open(path, O_RDONLY, path.toString());
  }

  /// The same in another way.
  ///
  /// @param flags of `open`
  /// @param name what the descriptor is called in errors from then on
  static NativeFileDescriptor open(Path path, int flags, String name) {
    try (Arena arena = Arena.ofConfined()) {
      int number =
          (int)
              Open.HANDLE.invokeExact(
                  NativeFunctionLinker.state(),
                  arena.allocateFrom(path.toString()),
                  flags | O_CLOEXEC);
      return new NativeFileDescriptor(checked(path.toString(), "open", number), name);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  static void close(NativeFileDescriptor descriptor) {
    try {
      // The descriptor is gone even when close reports an error, so there is nothing to retry.
      int ignored =
          (int) Close.HANDLE.invokeExact(NativeFunctionLinker.state(), descriptor.number());
      assert ignored <= 0;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Mounts `source` on `target` without a file system type: bind mounts and propagation changes.
  public static void mount(String source, Path target, int flags) {
    mount(source, target, "none", flags, "");
  }

  /// Mounts a new file system in memory on `target`.
  ///
  /// @param options of that file system, such as `size=4096,mode=0777`
  public static void mountTmpfs(Path target, String options) {
    mount("tmpfs", target, "tmpfs", 0, options);
  }

  private static void mount(String source, Path target, String type, int flags, String options) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = options.isEmpty() ? MemorySegment.NULL : arena.allocateFrom(options);
      int result =
          (int)
              Mount.HANDLE.invokeExact(
                  NativeFunctionLinker.state(),
                  arena.allocateFrom(source),
                  arena.allocateFrom(target.toString()),
                  arena.allocateFrom(type),
                  (long) flags,
                  data);
      checked(target.toString(), "mount", result);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Takes a mount away.
  public static void unmount(Path target, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      int result =
          (int)
              Unmount.HANDLE.invokeExact(
                  NativeFunctionLinker.state(), arena.allocateFrom(target.toString()), flags);
      checked(target.toString(), "umount2", result);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// A descriptor that becomes readable, for good, once {@link #signal} is called: how a thread
  /// that waits in the kernel returns.
  public static NativeFileDescriptor event(String name) {
    try {
      int number =
          (int)
              EventDescriptor.HANDLE.invokeExact(
                  NativeFunctionLinker.state(), 0, EFD_CLOEXEC | EFD_NONBLOCK);
      return new NativeFileDescriptor(checked(name, "eventfd", number), name);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Makes an {@link #event} readable.
  public static void signal(NativeFileDescriptor event) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1L);
      checked(event.name(), "write", write(event, one));
    }
  }

  /// Writes what fits.
  ///
  /// @return how many bytes were taken, negative when the kernel refused: {@link
  ///   NativeFunctionLinker#errno}
  static long write(NativeFileDescriptor to, MemorySegment from) {
    try {
      return (long)
          Write.HANDLE.invokeExact(
              NativeFunctionLinker.state(), to.number(), from, from.byteSize());
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Waits until one of two descriptors can be read.
  ///
  /// @param milliseconds how long at most, negative without end
  /// @return whether the first can be read; false when only the second can, when time has passed or
  ///   a signal came
  public static boolean awaitReadable(
      NativeFileDescriptor first, NativeFileDescriptor second, int milliseconds) {
    return await(first, READABLE, second, milliseconds);
  }

  /// Waits until a descriptor is ready, or another can be read.
  ///
  /// @param interest {@link #READABLE} or {@link #WRITABLE}
  /// @param milliseconds how long at most, negative without end
  /// @return whether the first is ready, also because its other side is gone; false when only the
  ///   second can be read, when time has passed or a signal came
  public static boolean await(
      NativeFileDescriptor first, short interest, NativeFileDescriptor second, int milliseconds) {
    try (Arena arena = Arena.ofConfined()) {
      // struct pollfd { int fd; short events; short revents; }
      MemorySegment polled = arena.allocate(16, 4);
      polled.set(ValueLayout.JAVA_INT, 0, first.number());
      polled.set(ValueLayout.JAVA_SHORT, 4, interest);
      polled.set(ValueLayout.JAVA_INT, 8, second.number());
      polled.set(ValueLayout.JAVA_SHORT, 12, READABLE);
      int ready =
          (int) Poll.HANDLE.invokeExact(NativeFunctionLinker.state(), polled, 2L, milliseconds);
      if (ready < 0 && !NativeFunctionLinker.errno().equals(Errno.EINTR)) {
        throw new SystemCallException(first.name(), "poll", NativeFunctionLinker.errno());
      }
      return ready > 0 && polled.get(ValueLayout.JAVA_SHORT, 6) != 0;
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  private static int checked(String object, String call, int result) {
    return Math.toIntExact(checked(object, call, (long) result));
  }

  static long checked(String object, String call, long result) {
    if (result < 0) {
      throw new SystemCallException(object, call, NativeFunctionLinker.errno());
    }
    return result;
  }
}
