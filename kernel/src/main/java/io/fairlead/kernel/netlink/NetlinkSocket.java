package io.fairlead.kernel.netlink;

import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.NativeFileDescriptor;
import io.fairlead.kernel.syscall.Sockets;
import io.fairlead.kernel.syscall.SystemCallException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A conversation with one part of the kernel. It belongs to the network namespace of the thread
/// that opened it, whichever thread uses it later. Used by one thread at a time.
public final class NetlinkSocket implements AutoCloseable {
  private static final int RECEIVE_MEMORY = 1 << 16;
  private static final int RECEIVE_QUEUE = 8 << 20;
  private static final int DUMP_ATTEMPTS = 20;
  private static final int SEND_SLACK = 4096;

  private final NativeFileDescriptor descriptor;
  private final Arena arena = Arena.ofAuto();
  private final NetlinkMessageWriter writer = new NetlinkMessageWriter();
  private MemorySegment memory = arena.allocate(RECEIVE_MEMORY, 8);
  private int sendQueue = 1 << 17;
  private final int port;
  private int sequence;

  private NetlinkSocket(NativeFileDescriptor descriptor, int port) {
    this.descriptor = descriptor;
    this.port = port;
  }

  /// Opens a socket to a part of the kernel, in the namespace of this thread.
  ///
  /// @param protocol {@link NetlinkConstants#ROUTE}, {@link NetlinkConstants#NETFILTER} or {@link
  ///   NetlinkConstants#GENERIC}
  public static NetlinkSocket open(int protocol) {
    NativeFileDescriptor descriptor =
        Sockets.open("netlink " + protocol, Sockets.AF_NETLINK, Sockets.SOCK_RAW, protocol);
    int port;
    try (Arena arena = Arena.ofConfined()) {
      // struct sockaddr_nl: family, pad, port (0: the kernel chooses), groups
      MemorySegment address = arena.allocate(12, 4);
      address.set(ValueLayout.JAVA_SHORT, 0, (short) Sockets.AF_NETLINK);
      Sockets.bind(descriptor, address);
      Sockets.name(descriptor, address);
      port = address.get(ValueLayout.JAVA_INT, 4);
      option(descriptor, NetlinkConstants.OPTION_CAP_ACK);
      option(descriptor, NetlinkConstants.OPTION_EXTENDED_ACK);
      if (protocol == NetlinkConstants.ROUTE) {
        option(descriptor, NetlinkConstants.OPTION_STRICT_CHECK);
      }
    } catch (SystemCallException e) {
      descriptor.close();
      throw e;
    }
    return new NetlinkSocket(descriptor, port);
  }

  /// Has it receive events from now on.
  ///
  /// @param groups numbers of the multicast groups
  public void join(int... groups) {
    for (int group : groups) {
      Sockets.setOption(
          descriptor, NetlinkConstants.SOL_NETLINK, NetlinkConstants.OPTION_ADD_MEMBERSHIP, group);
    }
    growReceiveQueue(descriptor);
  }

  /// A conversation over a socket that a test has made, which plays the kernel at its other end:
  /// for tests.
  public static NetlinkSocket over(NativeFileDescriptor descriptor) {
    return new NetlinkSocket(descriptor, 0);
  }

  /// The descriptor, to wait on.
  public NativeFileDescriptor descriptor() {
    return descriptor;
  }

  /// The number by which the kernel distinguishes sockets; events carry it.
  public int port() {
    return port;
  }

  /// The number of the network namespace this socket is in, which no other has until the next boot.
  public long namespace() {
    return Sockets.namespace(descriptor);
  }

  /// A writer of this socket, empty. The next call of this method takes its content away.
  public NetlinkMessageWriter writer() {
    writer.clear();
    return writer;
  }

  /// A number no earlier message of this socket has.
  public int nextSequence() {
    return ++sequence;
  }

  /// Sends everything written as one datagram. The kernel has worked it off when this returns.
  public void send(NetlinkMessageWriter messages) {
    int size = messages.size();
    if (size + SEND_SLACK > sendQueue) {
      // The kernel doubles what is asked for; asking for it all leaves room for its own structures.
      Sockets.setOption(descriptor, Sockets.SOL_SOCKET, Sockets.SO_SNDBUFFORCE, size + SEND_SLACK);
      sendQueue = size + SEND_SLACK;
    }
    Sockets.send(descriptor, messages.memory(), size);
  }

  /// Receives one datagram; its messages are good until the next receive.
  ///
  /// @param wait whether to wait for one
  /// @return null when there is none
  /// @throws SystemCallException with {@link Errno#ENOBUFS} when the kernel had to drop messages
  public @Nullable NetlinkMessageReader receive(boolean wait) {
    int flags = wait ? 0 : Sockets.MSG_DONTWAIT;
    long length = Sockets.receive(descriptor, memory, flags | Sockets.MSG_PEEK | Sockets.MSG_TRUNC);
    if (length > memory.byteSize()) {
      memory = arena.allocate(Long.highestOneBit(length) << 1, 8);
    }
    if (length < 0) {
      return null;
    }
    return received(Sockets.receive(descriptor, memory, flags));
  }

  /// Receives an answer to a batch, which always fits: one system call less than {@link #receive}.
  @Nullable NetlinkMessageReader receiveAnswer() {
    return received(Sockets.receive(descriptor, memory, Sockets.MSG_DONTWAIT));
  }

  private @Nullable NetlinkMessageReader received(long length) {
    if (length < 0) {
      return null;
    }
    return new NetlinkMessageReader(
        memory.asByteBuffer().order(ByteOrder.nativeOrder()), Math.toIntExact(length));
  }

  /// Sends one message written by `write` and waits for the kernel's answer.
  ///
  /// @param object what the message is about, for the error
  /// @param write gets the sequence number, writes one message that asks for an acknowledgement
  /// @throws NetlinkException when the kernel refuses
  public void request(String object, IntFunction<NetlinkMessageWriter> write) {
    ask(object, write, _ -> {});
  }

  /// The same for a message that is also answered with an object.
  ///
  /// @param each gets what comes before the acknowledgement
  public void ask(
      String object, IntFunction<NetlinkMessageWriter> write, Consumer<NetlinkMessageReader> each) {
    int number = nextSequence();
    send(write.apply(number));
    while (true) {
      NetlinkMessageReader messages = receive(true);
      while (messages != null && messages.next()) {
        if (messages.sequence() != number) {
          continue;
        }
        if (messages.isAnswer()) {
          if (!messages.errno().equals(Errno.NONE)) {
            throw new NetlinkException(object, messages.errno(), messages.text());
          }
          return;
        }
        each.accept(messages);
      }
    }
  }

  /// Sends many messages as one datagram, of which only the last asks for an acknowledgement, and
  /// waits for it. The others are answered only when the kernel refuses them.
  ///
  /// @param object what the messages are about, for the error
  /// @param last the sequence number of the last message
  /// @param harmless a refusal that is no failure
  /// @return how many messages the kernel refused so
  /// @throws NetlinkException when the kernel refuses one for another reason; the others are done
  public int requestAll(String object, NetlinkMessageWriter messages, int last, Errno harmless) {
    send(messages);
    int refused = 0;
    NetlinkException failure = null;
    while (true) {
      NetlinkMessageReader answers = receive(true);
      while (answers != null && answers.next()) {
        if (!answers.isAnswer()) {
          continue;
        }
        Errno errno = answers.errno();
        if (errno.equals(harmless)) {
          refused++;
        } else if (!errno.equals(Errno.NONE) && failure == null) {
          failure = new NetlinkException(object, errno, answers.text());
        }
        if (answers.sequence() == last) {
          if (failure != null) {
            throw failure;
          }
          return refused;
        }
      }
    }
  }

  /// Asks for all objects of a kind. When the kernel says that they changed meanwhile, everything
  /// is asked again, so `begin` may run several times.
  ///
  /// @param object what is listed, for the error
  /// @param write gets the sequence number, writes one message with {@link
  ///   NetlinkConstants#FLAG_DUMP}
  /// @param begin runs before each attempt and returns who receives the messages
  /// @throws NetlinkException when the kernel refuses, or objects never stop changing
  public void dump(
      String object,
      IntFunction<NetlinkMessageWriter> write,
      Supplier<Consumer<NetlinkMessageReader>> begin) {
    for (int attempt = 1; attempt < DUMP_ATTEMPTS; attempt++) {
      if (dumpOnce(object, write, begin.get())) {
        return;
      }
    }
    throw new NetlinkException(object, Errno.EINTR, "kept changing while it was listed");
  }

  /// The same into a list, which has what the last attempt found.
  ///
  /// @param read adds what a message says
  public <T> List<T> list(
      String object,
      IntFunction<NetlinkMessageWriter> write,
      BiConsumer<NetlinkMessageReader, List<T>> read) {
    List<T> found = new ArrayList<>();
    dump(
        object,
        write,
        () -> {
          found.clear();
          return message -> read.accept(message, found);
        });
    return found;
  }

  private boolean dumpOnce(
      String object, IntFunction<NetlinkMessageWriter> write, Consumer<NetlinkMessageReader> each) {
    int number = nextSequence();
    send(write.apply(number));
    boolean whole = true;
    while (true) {
      NetlinkMessageReader messages = receive(true);
      while (messages != null && messages.next()) {
        if (messages.sequence() != number) {
          continue;
        }
        whole &= (messages.flags() & NetlinkConstants.FLAG_DUMP_INTERRUPTED) == 0;
        if (messages.isAnswer() || messages.type() == NetlinkConstants.TYPE_DONE) {
          Errno errno = messages.errno();
          if (errno.equals(Errno.EINTR)) {
            return false;
          }
          if (!errno.equals(Errno.NONE)) {
            throw new NetlinkException(object, errno, messages.text());
          }
          return whole;
        }
        each.accept(messages);
      }
    }
  }

  private static void option(NativeFileDescriptor descriptor, int option) {
    Sockets.setOption(descriptor, NetlinkConstants.SOL_NETLINK, option, 1);
  }

  private static void growReceiveQueue(NativeFileDescriptor descriptor) {
    try {
      Sockets.setOption(descriptor, Sockets.SOL_SOCKET, Sockets.SO_RCVBUFFORCE, RECEIVE_QUEUE);
    } catch (SystemCallException e) {
      // Without the right to it the queue stays small; a listener then learns of lost events
      // sooner.
      if (!e.isNotPermitted()) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    descriptor.close();
  }
}
