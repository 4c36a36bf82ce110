package io.fairlead.kernel.syscall;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Many datagrams with one system call: taken together, answered together.
///
/// How it works: `recvmmsg` waits for one datagram and takes what else is there, `sendmmsg` sends
/// all answers. A quiet socket so answers each datagram at once, a busy one pays for two calls
/// where it paid for sixty. The structures of both calls (`mmsghdr`, `iovec`, `sockaddr_in6` of
/// `socket.h`) are laid out once; a round writes only lengths. Nothing is allocated. Used by one
/// thread.
public final class DatagramBatch implements AutoCloseable {
  static final int HEADER = 64; // struct mmsghdr
  static final int VECTOR = 16; // struct iovec
  static final int ADDRESS_STRIDE = 32;

  private static final int ADDRESS_SIZE = 28; // struct sockaddr_in6
  private static final int NAME = 0;
  private static final int NAME_LENGTH = 8;
  private static final int VECTORS = 16;
  private static final int VECTOR_COUNT = 24;
  private static final int LENGTH = 56;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int MSG_WAITFORONE = 0x10000;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final long MAPPED =
      0xffff_0000L; // bytes 8 to 11 of ::ffff:a.b.c.d, as x64 and arm64 read them

  private final long number;
  private final int most;
  private final int largest;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment state = NativeFunctionLinker.newState(arena);
  private final MemorySegment addresses;
  private final MemorySegment questions;
  private final MemorySegment questionData;
  private final MemorySegment answers;
  private final MemorySegment answerVectors;
  private final MemorySegment answerData;
  private int taken;
  private int staged;

  DatagramBatch(UdpSocket socket, int most, int largest) {
    this.number = socket.number();
    this.most = most;
    this.largest = largest;
    addresses = arena.allocate((long) most * ADDRESS_STRIDE, Long.BYTES);
    questions = arena.allocate((long) most * HEADER, Long.BYTES);
    questionData = arena.allocate((long) most * largest, Long.BYTES);
    answers = arena.allocate((long) most * HEADER, Long.BYTES);
    answerData = arena.allocate((long) most * largest, Long.BYTES);
    answerVectors = arena.allocate((long) most * VECTOR, Long.BYTES);
    MemorySegment questionVectors = arena.allocate((long) most * VECTOR, Long.BYTES);
    for (int i = 0; i < most; i++) {
      long vector = (long) i * VECTOR;
      questionVectors.set(LONG, vector, questionData.address() + (long) i * largest);
      questionVectors.set(LONG, vector + Long.BYTES, largest);
      answerVectors.set(LONG, vector, answerData.address() + (long) i * largest);
      long address = addresses.address() + (long) i * ADDRESS_STRIDE;
      head(questions, (long) i * HEADER, address, ADDRESS_SIZE, questionVectors.address() + vector);
      head(answers, (long) i * HEADER, address, 0, answerVectors.address() + vector);
    }
  }

  /// Fills in a message of one piece.
  static void head(MemorySegment memory, long at, long address, int size, long vector) {
    memory.set(LONG, at + NAME, address);
    memory.set(INT, at + NAME_LENGTH, size);
    memory.set(LONG, at + VECTORS, vector);
    memory.set(LONG, at + VECTOR_COUNT, 1);
  }

  /// Waits for datagrams and takes those that are there. Answers that were not sent are forgotten.
  ///
  /// @return how many; a negative errno when the call was refused or interrupted
  public int receive() {
    for (int i = 0; i < taken; i++) {
      questions.set(INT, (long) i * HEADER + NAME_LENGTH, ADDRESS_SIZE);
    }
    staged = 0;
    taken = 0;
    try {
      int count =
          (int)
              (long)
                  UdpSocket.Calls.RECEIVE_MANY.invokeExact(
                      state, number, questions.address(), (long) most, (long) MSG_WAITFORONE, 0L);
      if (count < 0) {
        return -NativeFunctionLinker.errnoIn(state);
      }
      taken = count;
      return count;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Copies a datagram that was taken.
  ///
  /// @param into at least as large as the largest datagram
  /// @return its length
  public int read(int index, byte[] into) {
    int length = questions.get(INT, (long) index * HEADER + LENGTH);
    MemorySegment.copy(
        questionData, ValueLayout.JAVA_BYTE, (long) index * largest, into, 0, length);
    return length;
  }

  /// Whether a datagram came over IPv6.
  public boolean isIpv6(int index) {
    long at = (long) index * ADDRESS_STRIDE;
    if (addresses.get(ValueLayout.JAVA_SHORT, at) == NonBlockingSockets.AF_INET) {
      return false;
    }
    return addresses.get(LONG, at + 8) != 0
        || Integer.toUnsignedLong(addresses.get(INT, at + 16)) != MAPPED;
  }

  /// Who sent a datagram, for an answer that comes later.
  public DatagramPeer sender(int index) {
    int size = questions.get(INT, (long) index * HEADER + NAME_LENGTH);
    return DatagramPeer.read(addresses, (long) index * ADDRESS_STRIDE, size);
  }

  /// Puts the answer to a datagram beside those to be sent. At most one for each.
  public void answer(int index, byte[] bytes, int length) {
    MemorySegment.copy(
        bytes, 0, answerData, ValueLayout.JAVA_BYTE, (long) staged * largest, length);
    answerVectors.set(LONG, (long) staged * VECTOR + Long.BYTES, length);
    long at = (long) staged * HEADER;
    answers.set(LONG, at + NAME, addresses.address() + (long) index * ADDRESS_STRIDE);
    answers.set(INT, at + NAME_LENGTH, questions.get(INT, (long) index * HEADER + NAME_LENGTH));
    staged++;
  }

  /// Sends the answers. One that the kernel refuses does not hold up the others.
  ///
  /// @return how many were refused
  public int flush() {
    int refused = 0;
    int at = 0;
    try {
      while (at < staged) {
        int sent =
            (int)
                (long)
                    UdpSocket.Calls.SEND_MANY.invokeExact(
                        state,
                        number,
                        answers.address() + (long) at * HEADER,
                        (long) (staged - at),
                        (long) MSG_NOSIGNAL,
                        0L);
        if (sent > 0) {
          at += sent;
        } else if (NativeFunctionLinker.errnoIn(state) != NonBlockingSockets.EINTR) {
          refused++;
          at++;
        }
      }
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
    staged = 0;
    return refused;
  }

  /// Frees the memory; the socket stays open.
  @Override
  public void close() {
    arena.close();
  }
}
