package io.fairlead.kernel.syscall;

import static io.fairlead.kernel.syscall.NativeFunctionLinker.INT;
import static io.fairlead.kernel.syscall.NativeFunctionLinker.POINTER;

import io.fairlead.work.Ticker;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The time since the machine was started, that of its sleep included: `CLOCK_BOOTTIME`. For
/// programs that must know that they were away.
public final class BootClock {
  private static final int CLOCK_BOOTTIME = 7; // linux/time.h
  private static final long NANOS = 1_000_000_000L;

  private static final class GetTime {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function("clock_gettime", FunctionDescriptor.of(INT, INT, POINTER));
  }

  private BootClock() {}

  /// Reads it at each call.
  public static Ticker ticker() {
    return BootClock::nanos;
  }

  private static long nanos() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(ValueLayout.JAVA_LONG, 2);
      int result =
          (int) GetTime.HANDLE.invokeExact(NativeFunctionLinker.state(), CLOCK_BOOTTIME, time);
      FileCalls.checked("CLOCK_BOOTTIME", "clock_gettime", result);
      return time.getAtIndex(ValueLayout.JAVA_LONG, 0) * NANOS
          + time.getAtIndex(ValueLayout.JAVA_LONG, 1);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }
}
