package io.fairlead.kernel.syscall;

import static io.fairlead.kernel.syscall.NativeFunctionLinker.LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/// A UDP socket of a server. One thread takes and answers many datagrams with each call, by a
/// {@link DatagramBatch}; any thread may send a single one or end the waiting.
///
/// How it ends: a thread may still be about to send when the socket is no longer wanted, and a
/// closed number may belong to another file a moment later. So {@link #release} wakes who waits,
/// puts a socket that leads nowhere in this one's place, which frees the port, and only {@link
/// #close} gives the number back.
public final class UdpSocket implements AutoCloseable {
  private static final int SO_SNDBUF = 7;
  private static final int SHUT_RD = 0;
  private static final int AF_UNIX = 1;
  private static final int NONBLOCK = 0x800;
  private static final int CLOEXEC = 0x80000;
  private static final int MSG_NOSIGNAL = 0x4000;

  private final int number;
  private final InetSocketAddress address;
  private final AtomicBoolean released = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  /// Each shape of call costs a class made at run time. Numbers travel in whole registers, so the
  /// widest shape fits all of these functions; what a result leaves above an `int` means nothing.
  static final class Calls {
    static final MethodHandle SOCKET = function("socket");
    static final MethodHandle BIND = function("bind");
    static final MethodHandle NAME = function("getsockname");
    static final MethodHandle SET_OPTION = function("setsockopt");
    static final MethodHandle SHUTDOWN = function("shutdown");
    static final MethodHandle REPLACE = function("dup2");
    static final MethodHandle CLOSE = function("close");
    static final MethodHandle SEND = function("sendmsg");
    static final MethodHandle RECEIVE_MANY = function("recvmmsg");
    static final MethodHandle SEND_MANY = function("sendmmsg");

    private Calls() {}

    private static MethodHandle function(String name) {
      return NativeFunctionLinker.function(
          name, FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, LONG));
    }
  }

  private UdpSocket(int number, InetSocketAddress address) {
    this.number = number;
    this.address = address;
  }

  /// Opens a socket in the network namespace of the calling thread and binds it. Others may bind
  /// the same address and port (`SO_REUSEPORT`); the kernel then shares datagrams out.
  ///
  /// @param where port 0 for a free one; the wildcard address takes both families where there are
  ///   two
  /// @param receiveBuffer bytes that may wait, as the kernel counts them
  public static UdpSocket open(InetSocketAddress where, int receiveBuffer, int sendBuffer) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = NativeFunctionLinker.newState(arena);
      InetAddress wanted = where.getAddress();
      boolean any = wanted.isAnyLocalAddress();
      boolean ipv6 = any || wanted instanceof Inet6Address;
      String name = "UDP " + wanted.getHostAddress() + ":" + where.getPort();
      int number = socket(state, ipv6 ? NonBlockingSockets.AF_INET6 : NonBlockingSockets.AF_INET);
      if (number < 0 && any) {
        ipv6 = false;
        number = socket(state, NonBlockingSockets.AF_INET);
      }
      if (number < 0) {
        throw new SystemCallException(name, "socket", new Errno(-number));
      }
      try {
        if (ipv6) {
          int only = any ? 0 : 1;
          set(
              number,
              NonBlockingSockets.IPPROTO_IPV6,
              NonBlockingSockets.IPV6_V6ONLY,
              only,
              name,
              arena);
        }
        set(number, NonBlockingSockets.SOL_SOCKET, Sockets.SO_REUSEPORT, 1, name, arena);
        set(
            number,
            NonBlockingSockets.SOL_SOCKET,
            NonBlockingSockets.SO_RCVBUF,
            receiveBuffer,
            name,
            arena);
        set(number, NonBlockingSockets.SOL_SOCKET, SO_SNDBUF, sendBuffer, name, arena);
        NativeSocketAddress own =
            address(arena, any && ipv6 ? new byte[16] : wanted.getAddress(), where);
        check(name, "bind", call(Calls.BIND, state, number, own.memory(), own.length(), 0, 0));
        MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, own.length());
        check(
            name,
            "getsockname",
            call(Calls.NAME, state, number, own.memory(), length.address(), 0, 0));
        return new UdpSocket(number, new InetSocketAddress(wanted, own.port()));
      } catch (SystemCallException e) {
        call(Calls.CLOSE, state, number, 0, 0, 0, 0);
        throw e;
      }
    }
  }

  private static int socket(MemorySegment state, int domain) {
    return call(Calls.SOCKET, state, domain, NonBlockingSockets.SOCK_DGRAM | CLOEXEC, 0, 0, 0);
  }

  private static void set(int number, int level, int option, int value, String name, Arena arena) {
    MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_INT, value);
    MemorySegment state = NativeFunctionLinker.newState(arena);
    check(
        name,
        "setsockopt " + option,
        call(Calls.SET_OPTION, state, number, level, option, memory.address(), memory.byteSize()));
  }

  private static NativeSocketAddress address(Arena arena, byte[] address, InetSocketAddress where) {
    ByteBuffer bytes = ByteBuffer.wrap(address);
    boolean ipv4 = address.length == Integer.BYTES;
    long high = ipv4 ? 0 : bytes.getLong();
    long low = ipv4 ? bytes.getInt() : bytes.getLong();
    return new NativeSocketAddress(arena).set(ipv4, high, low, where.getPort());
  }

  private static void check(String name, String call, int result) {
    if (result < 0) {
      throw new SystemCallException(name, call, new Errno(-result));
    }
  }

  /// A call that is not made often: its result, or its errno as a negative number.
  private static int call(
      MethodHandle handle, MemorySegment state, long a, long b, long c, long d, long e) {
    try {
      int result = (int) (long) handle.invokeExact(state, a, b, c, d, e);
      return result < 0 ? -NativeFunctionLinker.errnoIn(state) : result;
    } catch (Throwable thrown) {
      throw NativeFunctionLinker.impossible(thrown);
    }
  }

  int number() {
    return number;
  }

  /// Where it is bound.
  public InetSocketAddress address() {
    return address;
  }

  /// Space to take and answer so many datagrams with one call.
  ///
  /// @param largest bytes of one datagram; what is longer is cut
  public DatagramBatch batch(int most, int largest) {
    return new DatagramBatch(this, most, largest);
  }

  /// Sends one datagram. Any thread.
  ///
  /// @return 0, or a negative errno; after {@link #release} always that
  public int send(byte[] bytes, DatagramPeer to) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      MemorySegment address = arena.allocate(DatagramBatch.ADDRESS_STRIDE, Long.BYTES);
      to.write(address);
      MemorySegment vector = arena.allocate(DatagramBatch.VECTOR, Long.BYTES);
      vector.set(LONG, 0, data.address());
      vector.set(LONG, Long.BYTES, bytes.length);
      MemorySegment header = arena.allocate(DatagramBatch.HEADER, Long.BYTES);
      DatagramBatch.head(header, 0, address.address(), to.size(), vector.address());
      MemorySegment state = NativeFunctionLinker.newState(arena);
      int sent = call(Calls.SEND, state, number, header.address(), MSG_NOSIGNAL, 0, 0);
      return Math.min(sent, 0);
    }
  }

  /// Frees address and port; who waits for datagrams comes back, and nothing can be sent any more.
  /// Any thread; again is fine.
  public void release() {
    if (!released.compareAndSet(false, true)) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = NativeFunctionLinker.newState(arena);
      // A socket without a peer is "not connected" to this call, which wakes its readers all the
      // same.
      call(Calls.SHUTDOWN, state, number, SHUT_RD, 0, 0, 0);
      int type = NonBlockingSockets.SOCK_DGRAM | NONBLOCK | CLOEXEC;
      int nowhere = call(Calls.SOCKET, state, AF_UNIX, type, 0, 0, 0);
      check(address.toString(), "socket", nowhere);
      call(Calls.REPLACE, state, nowhere, number, 0, 0, 0);
      call(Calls.CLOSE, state, nowhere, 0, 0, 0, 0);
    }
  }

  /// Gives the descriptor back: no thread may use this socket any more. Again is fine.
  @Override
  public void close() {
    release();
    if (closed.compareAndSet(false, true)) {
      try (Arena arena = Arena.ofConfined()) {
        call(Calls.CLOSE, NativeFunctionLinker.newState(arena), number, 0, 0, 0, 0);
      }
    }
  }
}
