package io.fairlead.kernel.syscall;

import static io.fairlead.kernel.syscall.NativeFunctionLinker.INT;
import static io.fairlead.kernel.syscall.NativeFunctionLinker.LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// TCP and UDP sockets for an event loop: calls that never wait, never throw and allocate nothing.
///
/// How it works: a loop that serves thousands of sockets meets "try again" and "connection reset"
/// all the time; as exceptions they would be most of its cost. So sockets are plain numbers, memory
/// is a plain address, and a refused call returns the negative of its errno. Owned by one thread;
/// sockets are made in that thread's network namespace and do not block.
public final class NonBlockingSockets implements AutoCloseable {
  public static final int AF_INET = 2;
  public static final int AF_INET6 = 10;
  public static final int SOCK_STREAM = 1;
  public static final int SOCK_DGRAM = 2;
  public static final int SOL_SOCKET = 1;
  public static final int SO_REUSEADDR = 2;
  public static final int SO_KEEPALIVE = 9;
  public static final int SO_RCVBUF = 8;
  public static final int IPPROTO_TCP = 6;
  public static final int IPPROTO_IPV6 = 41;
  public static final int TCP_NODELAY = 1;
  public static final int TCP_KEEPIDLE = 4;
  public static final int TCP_QUICKACK = 12;
  public static final int IPV6_V6ONLY = 26;
  public static final int EINTR = 4;
  public static final int EAGAIN = 11;
  public static final int ENFILE = 23;
  public static final int EMFILE = 24;
  public static final int ECONNABORTED = 103;
  public static final int ECONNRESET = 104;
  public static final int EINPROGRESS = 115;

  private static final int NONBLOCK = 0x800;
  private static final int CLOEXEC = 0x80000;
  private static final int SHUT_WR = 1;
  private static final int SO_ERROR = 4;
  private static final int SO_LINGER = 13;
  private static final int SO_ATTACH_FILTER = 26;
  private static final int SO_ACCEPTCONN = 30;
  private static final int MSG_PEEK = 0x2;
  private static final int MSG_TRUNC = 0x20;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int LINGER_SIZE = 8;
  private static final int ADDRESS_SIZE = 28;
  private static final int PROGRAM_SIZE = 16;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment state = NativeFunctionLinker.newState(arena);
  private final MemorySegment option = arena.allocate(LINGER_SIZE, 4);
  private final NativeSocketAddress peer = new NativeSocketAddress(arena);
  private final MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);

  private static final class Calls {
    static final MethodHandle SOCKET = function("socket", INT, INT, INT);
    static final MethodHandle BIND = function("bind", INT, LONG, INT);
    static final MethodHandle LISTEN = function("listen", INT, INT);
    static final MethodHandle CONNECT = function("connect", INT, LONG, INT);
    static final MethodHandle ACCEPT = function("accept4", INT, LONG, LONG, INT);
    static final MethodHandle NAME = function("getsockname", INT, LONG, LONG);
    static final MethodHandle SHUTDOWN = function("shutdown", INT, INT);
    static final MethodHandle CLOSE = function("close", INT);
    static final MethodHandle SET_OPTION = function("setsockopt", INT, INT, INT, LONG, INT);
    static final MethodHandle GET_OPTION = function("getsockopt", INT, INT, INT, LONG, LONG);
    static final MethodHandle RECEIVE = transfer("recv", INT, LONG, LONG, INT);
    static final MethodHandle SEND = transfer("send", INT, LONG, LONG, INT);
    static final MethodHandle RECEIVE_FROM = transfer("recvfrom", INT, LONG, LONG, INT, LONG, LONG);
    static final MethodHandle SEND_TO = transfer("sendto", INT, LONG, LONG, INT, LONG, INT);

    private static MethodHandle function(String name, ValueLayout... parameters) {
      return NativeFunctionLinker.function(name, FunctionDescriptor.of(INT, parameters));
    }

    private static MethodHandle transfer(String name, ValueLayout... parameters) {
      return NativeFunctionLinker.function(name, FunctionDescriptor.of(LONG, parameters));
    }
  }

  /// Where {@link #accept} and {@link #receiveFrom} leave the address of the other side.
  public NativeSocketAddress peer() {
    return peer;
  }

  /// A new address to fill, which lives as long as this.
  public NativeSocketAddress newAddress() {
    return new NativeSocketAddress(arena);
  }

  private int failed(int result) {
    return result < 0 ? -NativeFunctionLinker.errnoIn(state) : result;
  }

  private long failed(long result) {
    return result < 0 ? -NativeFunctionLinker.errnoIn(state) : result;
  }

  /// @param domain {@link #AF_INET} or {@link #AF_INET6}
  /// @param type {@link #SOCK_STREAM} or {@link #SOCK_DGRAM}
  public int open(int domain, int type) {
    try {
      return failed((int) Calls.SOCKET.invokeExact(state, domain, type | NONBLOCK | CLOEXEC, 0));
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  public int bind(int socket, NativeSocketAddress address) {
    try {
      return failed(
          (int) Calls.BIND.invokeExact(state, socket, address.memory(), address.length()));
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  public int listen(int socket, int backlog) {
    try {
      return failed((int) Calls.LISTEN.invokeExact(state, socket, backlog));
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Begins to connect: `-EINPROGRESS` is the usual answer.
  public int connect(int socket, NativeSocketAddress address) {
    try {
      return failed(
          (int) Calls.CONNECT.invokeExact(state, socket, address.memory(), address.length()));
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// The next waiting connection, with its address in {@link #peer}.
  public int accept(int socket) {
    try {
      length.set(ValueLayout.JAVA_INT, 0, ADDRESS_SIZE);
      return failed(
          (int)
              Calls.ACCEPT.invokeExact(
                  state, socket, peer.memory(), length.address(), NONBLOCK | CLOEXEC));
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// The port a socket is bound to.
  public int port(int socket) {
    try {
      length.set(ValueLayout.JAVA_INT, 0, ADDRESS_SIZE);
      int result =
          failed((int) Calls.NAME.invokeExact(state, socket, peer.memory(), length.address()));
      return result < 0 ? result : peer.port();
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Says that nothing more will be sent.
  public int shutdownWrite(int socket) {
    try {
      return failed((int) Calls.SHUTDOWN.invokeExact(state, socket, SHUT_WR));
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  public int close(int socket) {
    try {
      return failed((int) Calls.CLOSE.invokeExact(state, socket));
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Makes closing abort the connection, so that the other side learns that it did not end well.
  public int resetOnClose(int socket) {
    option.set(ValueLayout.JAVA_INT, 0, 1);
    option.set(ValueLayout.JAVA_INT, Integer.BYTES, 0);
    return setOption(socket, SOL_SOCKET, SO_LINGER, LINGER_SIZE);
  }

  /// Sets an option that is one number.
  public int set(int socket, int level, int name, int value) {
    option.set(ValueLayout.JAVA_INT, 0, value);
    return setOption(socket, level, name, Integer.BYTES);
  }

  private int setOption(int socket, int level, int name, int size) {
    try {
      return failed(
          (int) Calls.SET_OPTION.invokeExact(state, socket, level, name, option.address(), size));
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Has a program of the classic packet filter decide about each packet for a socket.
  ///
  /// @param program the address of so many `struct sock_filter`; read before this returns
  public int filter(int socket, long program, int instructions) {
    try (Arena brief = Arena.ofConfined()) {
      MemorySegment header = brief.allocate(PROGRAM_SIZE, Long.BYTES);
      header.set(ValueLayout.JAVA_SHORT, 0, (short) instructions);
      header.set(ValueLayout.JAVA_LONG, Long.BYTES, program);
      return failed(
          (int)
              Calls.SET_OPTION.invokeExact(
                  state, socket, SOL_SOCKET, SO_ATTACH_FILTER, header.address(), PROGRAM_SIZE));
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Why connecting failed: a negative errno, 0 when it did not.
  public int error(int socket) {
    int result = get(socket, SO_ERROR);
    return result < 0 ? result : -option.get(ValueLayout.JAVA_INT, 0);
  }

  /// Whether connections come to this descriptor; false also for one that is no socket.
  public boolean isListening(int socket) {
    return get(socket, SO_ACCEPTCONN) >= 0 && option.get(ValueLayout.JAVA_INT, 0) != 0;
  }

  private int get(int socket, int name) {
    try {
      length.set(ValueLayout.JAVA_INT, 0, Integer.BYTES);
      return failed(
          (int)
              Calls.GET_OPTION.invokeExact(
                  state, socket, SOL_SOCKET, name, option.address(), length.address()));
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// @param memory the address of at least `size` bytes
  /// @return how many came; 0 when nothing more will come
  public long receive(int socket, long memory, long size) {
    return receive(socket, memory, size, 0);
  }

  /// The same, but what came stays there to be received again.
  public long peek(int socket, long memory, long size) {
    return receive(socket, memory, size, MSG_PEEK);
  }

  /// Throws away so many bytes of a stream that came, without copying them.
  public long discard(int socket, long size) {
    return receive(socket, 0, size, MSG_TRUNC);
  }

  private long receive(int socket, long memory, long size, int flags) {
    try {
      return failed((long) Calls.RECEIVE.invokeExact(state, socket, memory, size, flags));
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// @return how many were taken, perhaps not all
  public long send(int socket, long memory, long size) {
    try {
      return failed((long) Calls.SEND.invokeExact(state, socket, memory, size, MSG_NOSIGNAL));
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// One datagram, with the address of its sender in {@link #peer}.
  public long receiveFrom(int socket, long memory, long size) {
    try {
      length.set(ValueLayout.JAVA_INT, 0, ADDRESS_SIZE);
      return failed(
          (long)
              Calls.RECEIVE_FROM.invokeExact(
                  state, socket, memory, size, 0, peer.memory(), length.address()));
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  public long sendTo(int socket, long memory, long size, NativeSocketAddress to) {
    try {
      return failed(
          (long)
              Calls.SEND_TO.invokeExact(
                  state, socket, memory, size, MSG_NOSIGNAL, to.memory(), to.length()));
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Frees the memory; sockets stay open.
  @Override
  public void close() {
    arena.close();
  }
}
