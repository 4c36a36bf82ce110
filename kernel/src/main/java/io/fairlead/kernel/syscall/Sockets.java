package io.fairlead.kernel.syscall;

import static io.fairlead.kernel.syscall.NativeFunctionLinker.INT;
import static io.fairlead.kernel.syscall.NativeFunctionLinker.LONG;
import static io.fairlead.kernel.syscall.NativeFunctionLinker.POINTER;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;

/// Calls about sockets. Memory comes from the caller; nothing is copied here.
public final class Sockets {
  public static final int AF_UNIX = 1;
  public static final int AF_NETLINK = 16;
  public static final int SOCK_DGRAM = 2;
  public static final int SOCK_RAW = 3;
  public static final int SOCK_CLOEXEC = 0x80000;
  public static final int SOL_SOCKET = 1;
  public static final int SO_SNDBUFFORCE = 32;
  public static final int SO_RCVBUFFORCE = 33;
  private static final int SO_NETNS_COOKIE = 71;
  public static final int SO_REUSEPORT = 15;
  public static final int MSG_PEEK = 0x2;
  public static final int MSG_TRUNC = 0x20;
  public static final int MSG_DONTWAIT = 0x40;

  private static final class Socket {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function("socket", FunctionDescriptor.of(INT, INT, INT, INT));
  }

  private static final class Pair {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function(
            "socketpair", FunctionDescriptor.of(INT, INT, INT, INT, POINTER));
  }

  private static final class Bind {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function("bind", FunctionDescriptor.of(INT, INT, POINTER, INT));
  }

  private static final class Name {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function(
            "getsockname", FunctionDescriptor.of(INT, INT, POINTER, POINTER));
  }

  private static final class SetOption {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function(
            "setsockopt", FunctionDescriptor.of(INT, INT, INT, INT, POINTER, INT));
  }

  private static final class GetOption {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function(
            "getsockopt", FunctionDescriptor.of(INT, INT, INT, INT, POINTER, POINTER));
  }

  private static final class Send {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function("send", FunctionDescriptor.of(LONG, INT, POINTER, LONG, INT));
  }

  private static final class Receive {
    static final MethodHandle HANDLE =
        NativeFunctionLinker.function("recv", FunctionDescriptor.of(LONG, INT, POINTER, LONG, INT));
  }

  private Sockets() {}

  /// Opens a socket in the network namespace of the calling thread, where it stays.
  ///
  /// @param name what errors call it
  public static NativeFileDescriptor open(String name, int domain, int type, int protocol) {
    try {
      int number =
          (int)
              Socket.HANDLE.invokeExact(
                  NativeFunctionLinker.state(), domain, type | SOCK_CLOEXEC, protocol);
      return new NativeFileDescriptor(
          Math.toIntExact(FileCalls.checked(name, "socket", number)), name);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Two sockets of this machine that are joined: what is sent to one as a datagram comes out of
  /// the other.
  ///
  /// @param name what errors call both
  public static List<NativeFileDescriptor> pair(String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = arena.allocate(ValueLayout.JAVA_INT, 2);
      int result =
          (int)
              Pair.HANDLE.invokeExact(
                  NativeFunctionLinker.state(), AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, numbers);
      FileCalls.checked(name, "socketpair", result);
      return List.of(
          new NativeFileDescriptor(numbers.getAtIndex(ValueLayout.JAVA_INT, 0), name),
          new NativeFileDescriptor(numbers.getAtIndex(ValueLayout.JAVA_INT, 1), name));
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Gives the socket the address held by `address`, a `struct sockaddr` of its domain.
  public static void bind(NativeFileDescriptor socket, MemorySegment address) {
    try {
      int result =
          (int)
              Bind.HANDLE.invokeExact(
                  NativeFunctionLinker.state(), socket.number(), address, (int) address.byteSize());
      FileCalls.checked(socket.name(), "bind", result);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Fills `address` with the address the socket has.
  public static void name(NativeFileDescriptor socket, MemorySegment address) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, (int) address.byteSize());
      int result =
          (int)
              Name.HANDLE.invokeExact(
                  NativeFunctionLinker.state(), socket.number(), address, length);
      FileCalls.checked(socket.name(), "getsockname", result);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Sets an option that is one number.
  public static void setOption(NativeFileDescriptor socket, int level, int option, int value) {
    try (Arena arena = Arena.ofConfined()) {
      setOption(socket, level, option, arena.allocateFrom(ValueLayout.JAVA_INT, value));
    }
  }

  /// Sets an option that is a structure of the kernel.
  public static void setOption(
      NativeFileDescriptor socket, int level, int option, MemorySegment value) {
    try {
      int result =
          (int)
              SetOption.HANDLE.invokeExact(
                  NativeFunctionLinker.state(),
                  socket.number(),
                  level,
                  option,
                  value,
                  (int) value.byteSize());
      FileCalls.checked(socket.name(), "setsockopt " + option, result);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// The number of the network namespace a socket is in, which no other has until the next boot.
  public static long namespace(NativeFileDescriptor socket) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment cookie = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, Long.BYTES);
      int result =
          (int)
              GetOption.HANDLE.invokeExact(
                  NativeFunctionLinker.state(),
                  socket.number(),
                  SOL_SOCKET,
                  SO_NETNS_COOKIE,
                  cookie,
                  length);
      FileCalls.checked(socket.name(), "getsockopt SO_NETNS_COOKIE", result);
      return cookie.get(ValueLayout.JAVA_LONG, 0);
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Sends the first `length` bytes as one datagram.
  public static void send(NativeFileDescriptor socket, MemorySegment memory, long length) {
    try {
      while (true) {
        long sent =
            (long)
                Send.HANDLE.invokeExact(
                    NativeFunctionLinker.state(), socket.number(), memory, length, 0);
        if (sent == length) {
          return;
        }
        if (sent >= 0) {
          throw new SystemCallException(socket.name(), "send", Errno.EMSGSIZE, "cut short");
        }
        if (!NativeFunctionLinker.errno().equals(Errno.EINTR)) {
          throw new SystemCallException(socket.name(), "send", NativeFunctionLinker.errno());
        }
      }
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Receives one datagram.
  ///
  /// @param flags of `MSG_...`
  /// @return its length, with `MSG_TRUNC` the true one even when it did not fit; -1 when
  ///   `MSG_DONTWAIT` was asked and nothing is there
  public static long receive(NativeFileDescriptor socket, MemorySegment memory, int flags) {
    try {
      while (true) {
        long length =
            (long)
                Receive.HANDLE.invokeExact(
                    NativeFunctionLinker.state(),
                    socket.number(),
                    memory,
                    memory.byteSize(),
                    flags);
        if (length >= 0) {
          return length;
        }
        Errno errno = NativeFunctionLinker.errno();
        if (errno.equals(Errno.EAGAIN)) {
          return -1;
        }
        if (!errno.equals(Errno.EINTR)) {
          throw new SystemCallException(socket.name(), "recv", errno);
        }
      }
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }
}
