package io.fairlead.kernel.syscall;

import static io.fairlead.kernel.syscall.NativeFunctionLinker.INT;
import static io.fairlead.kernel.syscall.NativeFunctionLinker.LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Reports to one thread which of its sockets are ready: `epoll`. A socket leaves it by being
/// closed. All calls but {@link #wake} belong to one thread.
public final class Epoll implements AutoCloseable {
  public static final int IN = 0x1;
  public static final int OUT = 0x4;
  public static final int ERROR = 0x8;
  public static final int HANG_UP = 0x10;
  public static final int PEER_ENDED = 0x2000;

  /// Of several queues that watch a socket, wake one only.
  public static final int EXCLUSIVE = 1 << 28;

  /// Tell once, when something new has happened, and not again until something else does.
  public static final int EDGE = 1 << 31;

  private static final int CLOEXEC = 0x80000;
  private static final int ADD = 1;
  private static final int MODIFY = 3;
  private static final int MOST = 256;
  private static final long WAKE = -1;

  // The kernel packs the structure on x86 only, so that 32-bit programs fit.
  private static final boolean PACKED = System.getProperty("os.arch").equals("amd64");
  private static final int SIZE = PACKED ? 12 : 16;
  private static final int DATA = PACKED ? 4 : 8;

  private static final class Calls {
    static final MethodHandle CREATE =
        NativeFunctionLinker.function("epoll_create1", FunctionDescriptor.of(INT, INT));
    static final MethodHandle CONTROL =
        NativeFunctionLinker.function("epoll_ctl", FunctionDescriptor.of(INT, INT, INT, INT, LONG));
    static final MethodHandle WAIT =
        NativeFunctionLinker.function(
            "epoll_wait", FunctionDescriptor.of(INT, INT, LONG, INT, INT));
  }

  private final Arena arena = Arena.ofShared();
  private final MemorySegment state = NativeFunctionLinker.newState(arena);
  private final MemorySegment events = arena.allocate((long) MOST * SIZE, Long.BYTES);
  private final MemorySegment one = arena.allocate(SIZE, Long.BYTES);
  private final NativeFileDescriptor queue;
  private final NativeFileDescriptor wake;
  private int found;

  private Epoll(NativeFileDescriptor queue, NativeFileDescriptor wake) {
    this.queue = queue;
    this.wake = wake;
  }

  /// @throws SystemCallException when the process has too many open files
  public static Epoll open() {
    NativeFileDescriptor queue;
    try {
      int number = (int) Calls.CREATE.invokeExact(NativeFunctionLinker.state(), CLOEXEC);
      queue =
          new NativeFileDescriptor(
              Math.toIntExact(FileCalls.checked("event queue", "epoll_create1", number)),
              "event queue");
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
    try {
      Epoll made = new Epoll(queue, FileCalls.event("wake"));
      int result = made.control(ADD, made.wake.number(), IN | EDGE, WAKE);
      if (result < 0) {
        made.close();
        throw new SystemCallException("event queue", "epoll_ctl", new Errno(-result));
      }
      return made;
    } catch (SystemCallException e) {
      queue.close();
      throw e;
    }
  }

  /// Watches a socket.
  ///
  /// @param key what {@link #key} gives for its events; not negative
  /// @return 0 or a negative errno
  public int add(int socket, int interest, long key) {
    return control(ADD, socket, interest, key);
  }

  /// Watches a socket for something else; what holds already is reported again.
  public int modify(int socket, int interest, long key) {
    return control(MODIFY, socket, interest, key);
  }

  private int control(int operation, int socket, int interest, long key) {
    one.set(ValueLayout.JAVA_INT_UNALIGNED, 0, interest);
    one.set(ValueLayout.JAVA_LONG_UNALIGNED, DATA, key);
    try {
      int result =
          (int) Calls.CONTROL.invokeExact(state, queue.number(), operation, socket, one.address());
      return result < 0 ? -NativeFunctionLinker.errnoIn(state) : result;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Waits until a socket is ready, a thread calls {@link #wake}, or the time is over.
  ///
  /// @param milliseconds -1 for as long as it takes
  /// @return how many events there are
  public int await(int milliseconds) {
    try {
      int result =
          (int) Calls.WAIT.invokeExact(state, queue.number(), events.address(), MOST, milliseconds);
      found = Math.max(0, result);
      return found;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// What is ready of an event.
  public int ready(int index) {
    return events.get(ValueLayout.JAVA_INT_UNALIGNED, (long) index * SIZE);
  }

  /// The key of an event's socket; negative for a call of {@link #wake}.
  public long key(int index) {
    return events.get(ValueLayout.JAVA_LONG_UNALIGNED, (long) index * SIZE + DATA);
  }

  /// Ends the wait of the owning thread, or its next one. From any thread.
  public void wake() {
    FileCalls.signal(wake);
  }

  @Override
  public void close() {
    wake.close();
    queue.close();
    arena.close();
  }
}
