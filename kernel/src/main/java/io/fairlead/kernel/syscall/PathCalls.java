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

/// Calls that resolve a path below an open directory, for trees in which others plant links.
///
/// How it works: the kernel itself refuses to leave the directory while it walks (`openat2`, Linux
/// 5.6), so a link that is swapped in during the walk changes nothing. What was opened is then used
/// by its descriptor, never by its name again.
public final class PathCalls {
  /// Only marks a place: it can be mounted or be where another walk begins, but not be read.
  public static final int O_PATH = 0x200000; // asm-generic/fcntl.h

  private static final long OPENAT2 = 437; // the same number on every architecture
  private static final long RESOLVE_NO_MAGICLINKS = 2; // openat2.h
  private static final long RESOLVE_NO_SYMLINKS = 4;
  private static final long RESOLVE_BENEATH = 8;
  private static final int HOW_SIZE = 24;
  private static final int ATTEMPTS = 100;

  private static final class OpenAt2 {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.variadic(
            "syscall", FunctionDescriptor.of(LONG, LONG, INT, POINTER, POINTER, LONG), 1);
  }

  private static final class MakeDirectory {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function("mkdirat", FunctionDescriptor.of(INT, INT, POINTER, INT));
  }

  private PathCalls() {}

  /// Marks a directory by a path that only trusted users can change.
  public static NativeFileDescriptor mark(Path directory) {
    return FileCalls.open(directory, O_PATH, directory.toString());
  }

  /// Marks what lies below a directory. Links are followed as long as they stay below it.
  ///
  /// @throws SystemCallException with EXDEV when the path leads out
  public static NativeFileDescriptor markBeneath(NativeFileDescriptor directory, String path) {
    return open(directory, path, O_PATH, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
  }

  /// Opens what lies below a directory, without following any link.
  ///
  /// @param flags of `open`
  /// @throws SystemCallException with ELOOP when there is a link on the way
  public static NativeFileDescriptor openBeneath(
      NativeFileDescriptor directory, String path, int flags) {
    return open(
        directory, path, flags, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS);
  }

  /// Makes a directory in another one. A link of that name is not followed.
  ///
  /// @param name without a slash
  /// @throws SystemCallException with EEXIST when there is something already
  public static void makeDirectory(NativeFileDescriptor parent, String name, int mode) {
    try (Arena arena = Arena.ofConfined()) {
      int result =
          (int)
              MakeDirectory.HANDLE.invokeExact(
                  NativeFunctionLinker.state(), parent.number(), arena.allocateFrom(name), mode);
      FileCalls.checked(parent.name() + "/" + name, "mkdirat", result);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  private static NativeFileDescriptor open(
      NativeFileDescriptor directory, String path, int flags, long resolve) {
    String name = directory.name() + "/" + path;
    try (Arena arena = Arena.ofConfined()) {
      // struct open_how { u64 flags, mode, resolve; }
      MemorySegment how = arena.allocate(HOW_SIZE, 8);
      how.set(ValueLayout.JAVA_LONG, 0, flags | FileCalls.O_CLOEXEC);
      how.set(ValueLayout.JAVA_LONG, 16, resolve);
      MemorySegment text = arena.allocateFrom(path);
      for (int attempt = 1; ; attempt++) {
        long number =
            (long)
                OpenAt2.HANDLE.invokeExact(
                    NativeFunctionLinker.state(),
                    OPENAT2,
                    directory.number(),
                    text,
                    how,
                    (long) HOW_SIZE);
        // While others rename, the kernel cannot always tell whether a path stays below.
        boolean again = number < 0 && NativeFunctionLinker.errno().equals(Errno.EAGAIN);
        if (!again || attempt == ATTEMPTS) {
          return new NativeFileDescriptor(
              Math.toIntExact(FileCalls.checked(name, "openat2", number)), name);
        }
      }
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }
}
