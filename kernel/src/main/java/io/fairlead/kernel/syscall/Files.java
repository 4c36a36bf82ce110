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

/// Calls about files, mounts and waiting.
public final class Files {
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
        Linkage.function("open", FunctionDescriptor.of(INT, POINTER, INT));
  }

  private static final class Close {
    static final MethodHandle HANDLE = Linkage.function("close", FunctionDescriptor.of(INT, INT));
  }

  private static final class Mount {
    static final MethodHandle HANDLE =
        Linkage.function(
            "mount", FunctionDescriptor.of(INT, POINTER, POINTER, POINTER, LONG, POINTER));
  }

  private static final class Unmount {
    static final MethodHandle HANDLE =
        Linkage.function("umount2", FunctionDescriptor.of(INT, POINTER, INT));
  }

  private static final class EventDescriptor {
    static final MethodHandle HANDLE =
        Linkage.function("eventfd", FunctionDescriptor.of(INT, INT, INT));
  }

  private static final class Write {
    static final MethodHandle HANDLE =
        Linkage.function("write", FunctionDescriptor.of(LONG, INT, POINTER, LONG));
  }

  private static final class Poll {
    static final MethodHandle HANDLE =
        Linkage.function("poll", FunctionDescriptor.of(INT, POINTER, LONG, INT));
  }

  private Files() {}

  /// Opens a file for reading; children do not inherit it.
  public static Descriptor open(Path path) {
    return open(path, O_RDONLY, path.toString());
  }

  /// The same in another way.
  ///
  /// @param flags of `open`
  /// @param name what the descriptor is called in errors from then on
  static Descriptor open(Path path, int flags, String name) {
    try (Arena arena = Arena.ofConfined()) {
      int number =
          (int)
              Open.HANDLE.invokeExact(
                  Linkage.state(), arena.allocateFrom(path.toString()), flags | O_CLOEXEC);
      return new Descriptor(checked(path.toString(), "open", number), name);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw Linkage.impossible(e);
    }
  }

  static void close(Descriptor descriptor) {
    try {
      // The descriptor is gone even when close reports an error, so there is nothing to retry.
      int ignored = (int) Close.HANDLE.invokeExact(Linkage.state(), descriptor.number());
      assert ignored <= 0;
    } catch (Throwable e) {
      throw Linkage.impossible(e);
    }
  }

  /// Mounts `source` on `target` without a file system type: bind mounts and propagation changes.
  public static void mount(String source, Path target, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      int result =
          (int)
              Mount.HANDLE.invokeExact(
                  Linkage.state(),
                  arena.allocateFrom(source),
                  arena.allocateFrom(target.toString()),
                  arena.allocateFrom("none"),
                  (long) flags,
                  MemorySegment.NULL);
      checked(target.toString(), "mount", result);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw Linkage.impossible(e);
    }
  }

  /// Takes a mount away.
  public static void unmount(Path target, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      int result =
          (int)
              Unmount.HANDLE.invokeExact(
                  Linkage.state(), arena.allocateFrom(target.toString()), flags);
      checked(target.toString(), "umount2", result);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw Linkage.impossible(e);
    }
  }

  /// A descriptor that becomes readable, for good, once {@link #signal} is called: how a thread
  /// that waits in the kernel is told to stop.
  public static Descriptor event(String name) {
    try {
      int number =
          (int) EventDescriptor.HANDLE.invokeExact(Linkage.state(), 0, EFD_CLOEXEC | EFD_NONBLOCK);
      return new Descriptor(checked(name, "eventfd", number), name);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw Linkage.impossible(e);
    }
  }

  /// Makes an {@link #event} readable.
  public static void signal(Descriptor event) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1L);
      checked(event.name(), "write", write(event, one));
    }
  }

  /// Writes what fits.
  ///
  /// @return how many bytes were taken, negative when the kernel refused: {@link Linkage#errno}
  static long write(Descriptor to, MemorySegment from) {
    try {
      return (long) Write.HANDLE.invokeExact(Linkage.state(), to.number(), from, from.byteSize());
    } catch (Throwable e) {
      throw Linkage.impossible(e);
    }
  }

  /// Waits until one of two descriptors can be read.
  ///
  /// @param milliseconds how long at most, negative without end
  /// @return whether the first can be read; false when only the second can, when time has passed or
  ///   a signal came
  public static boolean awaitReadable(Descriptor first, Descriptor second, int milliseconds) {
    return await(first, READABLE, second, milliseconds);
  }

  /// Waits until a descriptor is ready, or another can be read.
  ///
  /// @param interest {@link #READABLE} or {@link #WRITABLE}
  /// @param milliseconds how long at most, negative without end
  /// @return whether the first is ready, also because its other side is gone; false when only the
  ///   second can be read, when time has passed or a signal came
  public static boolean await(
      Descriptor first, short interest, Descriptor second, int milliseconds) {
    try (Arena arena = Arena.ofConfined()) {
      // struct pollfd { int fd; short events; short revents; }
      MemorySegment polled = arena.allocate(16, 4);
      polled.set(ValueLayout.JAVA_INT, 0, first.number());
      polled.set(ValueLayout.JAVA_SHORT, 4, interest);
      polled.set(ValueLayout.JAVA_INT, 8, second.number());
      polled.set(ValueLayout.JAVA_SHORT, 12, READABLE);
      int ready = (int) Poll.HANDLE.invokeExact(Linkage.state(), polled, 2L, milliseconds);
      if (ready < 0 && !Linkage.errno().equals(Errno.EINTR)) {
        throw new SystemCallException(first.name(), "poll", Linkage.errno());
      }
      return ready > 0 && polled.get(ValueLayout.JAVA_SHORT, 6) != 0;
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw Linkage.impossible(e);
    }
  }

  private static int checked(String object, String call, int result) {
    return Math.toIntExact(checked(object, call, (long) result));
  }

  static long checked(String object, String call, long result) {
    if (result < 0) {
      throw new SystemCallException(object, call, Linkage.errno());
    }
    return result;
  }
}
