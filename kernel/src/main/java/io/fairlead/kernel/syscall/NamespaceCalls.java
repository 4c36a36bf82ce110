package io.fairlead.kernel.syscall;

import static io.fairlead.kernel.syscall.NativeFunctionLinker.INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// Calls that move the calling **thread** into another namespace. Only for platform threads that
/// end afterwards: a virtual thread would move its carrier and everyone it carries.
public final class NamespaceCalls {
  static final int CLONE_FS = 0x200; // sched.h
  static final int CLONE_FILES = 0x400;
  static final int CLONE_NEWNS = 0x20000;
  static final int CLONE_NEWUTS = 0x4000000;
  static final int CLONE_NEWIPC = 0x8000000;
  static final int CLONE_NEWPID = 0x20000000;
  public static final int CLONE_NEWNET = 0x40000000;

  private static final class SetNamespace {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function("setns", FunctionDescriptor.of(INT, INT, INT));
  }

  private static final class Unshare {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function("unshare", FunctionDescriptor.of(INT, INT));
  }

  private static final class ThreadId {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function("gettid", FunctionDescriptor.of(INT));
  }

  private NamespaceCalls() {}

  /// Moves this thread into the namespace behind an open `/proc/PID/ns/...` or `/run/netns/...`.
  public static void enter(NativeFileDescriptor namespace, int kind) {
    platformThread(namespace.name());
    try {
      int result =
          (int)
              SetNamespace.HANDLE.invokeExact(
                  NativeFunctionLinker.state(), namespace.number(), kind);
      FileCalls.checked(namespace.name(), "setns", result);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Gives this thread new, empty namespaces of these kinds.
  public static void unshare(String name, int kinds) {
    platformThread(name);
    try {
      int result = (int) Unshare.HANDLE.invokeExact(NativeFunctionLinker.state(), kinds);
      FileCalls.checked(name, "unshare", result);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// The number under which `/proc/self/task` lists this thread.
  public static int threadId() {
    try {
      return (int) ThreadId.HANDLE.invokeExact(NativeFunctionLinker.state());
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  private static void platformThread(String name) {
    if (Thread.currentThread().isVirtual()) {
      throw new IllegalStateException(name + ": a virtual thread cannot change its namespace");
    }
  }
}
