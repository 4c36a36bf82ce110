package io.fairlead.kernel.syscall;

import static io.fairlead.kernel.syscall.Linkage.INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// Calls that move the calling **thread** into another namespace. Only for platform threads that
/// end afterwards: a virtual thread would move its carrier and everyone it carries.
public final class Namespaces {
  public static final int CLONE_NEWNET = 0x40000000;

  private static final class SetNamespace {
    static final MethodHandle HANDLE =
        Linkage.function("setns", FunctionDescriptor.of(INT, INT, INT));
  }

  private static final class Unshare {
    static final MethodHandle HANDLE = Linkage.function("unshare", FunctionDescriptor.of(INT, INT));
  }

  private static final class ThreadId {
    static final MethodHandle HANDLE = Linkage.function("gettid", FunctionDescriptor.of(INT));
  }

  private Namespaces() {}

  /// Moves this thread into the namespace behind an open `/proc/PID/ns/...` or `/run/netns/...`.
  public static void enter(Descriptor namespace, int kind) {
    platformThread(namespace.name());
    try {
      int result = (int) SetNamespace.HANDLE.invokeExact(Linkage.state(), namespace.number(), kind);
      Files.checked(namespace.name(), "setns", result);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw Linkage.impossible(e);
    }
  }

  /// Gives this thread new, empty namespaces of these kinds.
  public static void unshare(String name, int kinds) {
    platformThread(name);
    try {
      int result = (int) Unshare.HANDLE.invokeExact(Linkage.state(), kinds);
      Files.checked(name, "unshare", result);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw Linkage.impossible(e);
    }
  }

  /// The number under which `/proc/self/task` lists this thread.
  public static int threadId() {
    try {
      return (int) ThreadId.HANDLE.invokeExact(Linkage.state());
    } catch (Throwable e) {
      throw Linkage.impossible(e);
    }
  }

  private static void platformThread(String name) {
    if (Thread.currentThread().isVirtual()) {
      throw new IllegalStateException(name + ": a virtual thread cannot change its namespace");
    }
  }
}
