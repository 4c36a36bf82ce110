package io.fairlead.kernel.syscall;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/// Makes handles to C functions that keep their errno.
///
/// How it works: linking one function costs milliseconds, so each handle lives in a class of its
/// own that is loaded at the function's first call, and is a constant from then on. The errno of a
/// call must be taken before the JVM runs anything else on the thread; the linker stores it in a
/// small segment of the calling thread.
final class NativeFunctionLinker {
  static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  static final AddressLayout POINTER = ValueLayout.ADDRESS;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final ThreadLocal<MemorySegment> CAPTURED =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

  private NativeFunctionLinker() {}

  /// A handle whose first parameter is the segment of {@link #state()}.
  static MethodHandle function(String name, FunctionDescriptor descriptor) {
    return link(name, descriptor, Linker.Option.captureCallState("errno"));
  }

  /// The same for a function with a variable number of arguments.
  ///
  /// @param fixed how many come before those
  static MethodHandle variadic(String name, FunctionDescriptor descriptor, int fixed) {
    return link(
        name,
        descriptor,
        Linker.Option.captureCallState("errno"),
        Linker.Option.firstVariadicArg(fixed));
  }

  private static MethodHandle link(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    MemorySegment address =
        LINKER
            .defaultLookup()
            .find(name)
            .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no function " + name));
    return LINKER.downcallHandle(address, descriptor, options);
  }

  /// Where a call of this thread leaves its errno.
  static MemorySegment state() {
    return CAPTURED.get();
  }

  /// The errno of the last call of this thread.
  static Errno errno() {
    return new Errno((int) ERRNO.get(CAPTURED.get(), 0L));
  }

  /// A place for errnos, for an owner that makes many calls and keeps its own.
  static MemorySegment newState(Arena arena) {
    return arena.allocate(STATE);
  }

  /// The errno of the last call that was given this place.
  static int errnoIn(MemorySegment state) {
    return (int) ERRNO.get(state, 0L);
  }

  /// A handle throws what the called code throws: C code throws nothing, so this is a defect.
  static AssertionError impossible(Throwable thrown) {
    return new AssertionError("a native call threw", thrown);
  }
}
