package io.fairlead.kernel.netlink;

import io.fairlead.kernel.syscall.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// A transaction of a netfilter subsystem: all messages take effect at once, or none.
///
/// How it works: messages stand between *batch begin* and *batch end* in one datagram. The kernel
/// works them off while it is sent, so its answers are there when `send` returns. It always answers
/// refused messages; of the others only the last is asked to be answered, which makes one answer
/// for a good batch however long it is. Answers carry the sequence number, which leads back to the
/// object.
///
/// Owned by one thread at a time; used again after {@link #commit}.
public final class NetfilterBatch {
  /// The kernel takes the batch only if nothing has changed since that generation.
  private static final int ATTRIBUTE_GENERATION = 1;

  private final NetlinkSocket socket;
  private final int subsystem;
  private final NetlinkMessageWriter writer = new NetlinkMessageWriter(1 << 16);
  private final List<Supplier<String>> objects = new ArrayList<>();

  public NetfilterBatch(NetlinkSocket socket, int subsystem) {
    this.socket = socket;
    this.subsystem = subsystem;
    clear();
  }

  /// Where the caller writes a message, with the sequence number this returned for it.
  public NetlinkMessageWriter writer() {
    return writer;
  }

  /// Announces a message. The sequence numbers of a batch count from 1: numbers only have to differ
  /// inside it, since every answer is read before the next batch is sent.
  ///
  /// @param object what it is about; asked only when the kernel refuses
  /// @return its sequence number
  public int announce(Supplier<String> object) {
    objects.add(object);
    return objects.size();
  }

  /// How many messages it has.
  public int messages() {
    return objects.size();
  }

  /// How many bytes it has.
  public int size() {
    return writer.size();
  }

  /// Sends everything and reads the answers; the batch is empty afterwards, also when it fails.
  ///
  /// @throws NetlinkException naming the first object the kernel refused; nothing took effect
  public void commit() {
    try {
      if (objects.isEmpty()) {
        return;
      }
      writer.acknowledgeLast();
      writer.end(
          writer.beginNetfilter(
              0, NetlinkConstants.TYPE_BATCH_END, NetlinkConstants.FLAG_REQUEST, 0, 0, subsystem));
      socket.send(writer);
      answers();
    } finally {
      clear();
    }
  }

  private void answers() {
    NetlinkException refused = null;
    while (true) {
      NetlinkMessageReader messages = socket.receiveAnswer();
      if (messages == null) {
        if (refused == null) {
          throw new NetlinkException("batch", Errno.ENOBUFS, "the kernel did not answer");
        }
        throw refused;
      }
      while (messages.next()) {
        if (!messages.isAnswer()) {
          continue;
        }
        if (!messages.errno().equals(Errno.NONE)) {
          if (refused == null) {
            refused =
                new NetlinkException(
                    object(messages.sequence()), messages.errno(), messages.text());
          }
        } else if (messages.sequence() == objects.size() && refused == null) {
          return;
        }
      }
    }
  }

  private String object(int sequence) {
    return sequence > 0 && sequence <= objects.size()
        ? objects.get(sequence - 1).get()
        : "transaction of " + objects.size() + " messages";
  }

  private void clear() {
    objects.clear();
    writer.clear();
    int start =
        writer.beginNetfilter(
            0, NetlinkConstants.TYPE_BATCH_BEGIN, NetlinkConstants.FLAG_REQUEST, 0, 0, subsystem);
    writer.end(start);
  }

  /// Makes the batch fail with {@link Errno} ERESTART when anybody changed the subsystem since.
  /// Must come before the first message.
  public void onlyAfter(int generation) {
    if (!objects.isEmpty()) {
      throw new IllegalStateException("the generation comes before the first message");
    }
    writer.clear();
    int start =
        writer.beginNetfilter(
            0, NetlinkConstants.TYPE_BATCH_BEGIN, NetlinkConstants.FLAG_REQUEST, 0, 0, subsystem);
    writer.be32(ATTRIBUTE_GENERATION, generation);
    writer.end(start);
  }
}
