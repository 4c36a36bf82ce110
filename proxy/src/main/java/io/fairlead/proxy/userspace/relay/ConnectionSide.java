package io.fairlead.proxy.userspace.relay;

import io.fairlead.kernel.syscall.Epoll;
import io.fairlead.kernel.syscall.NonBlockingSockets;

/// One of the two sockets of a connection. Owned by the loop's thread.
final class ConnectionSide implements SocketEventHandler {
  private static final int QUIET = Epoll.IN | Epoll.PEER_ENDED | Epoll.EDGE;

  private final RelayEventLoop loop;
  private final RelayedConnection connection;
  private int socket = -1;
  private int slot = -1;
  private boolean watchesWriting;
  // What the last events said; edges are told once, so it is remembered.
  private boolean readable;
  private boolean ending;
  private boolean writable = true;
  private boolean ended; // all that will come has been read
  private boolean closedForWriting; // the other side's end has been passed on
  private long held; // a buffer with bytes this socket has not taken yet; 0 for none
  private int heldFrom;
  private int heldTo;

  ConnectionSide(RelayEventLoop loop, RelayedConnection connection) {
    this.loop = loop;
    this.connection = connection;
  }

  /// Takes a socket. False when the kernel will not watch it; it is closed then.
  boolean attach(int number, boolean watchWriting) {
    socket = number;
    watchesWriting = watchWriting;
    readable = false;
    ending = false;
    writable = true;
    slot = loop.register(this, number, watchWriting ? QUIET | Epoll.OUT : QUIET);
    if (slot < 0) {
      slot = -1;
      detach();
      return false;
    }
    return true;
  }

  /// Closes its socket and gives its memory back.
  void detach() {
    if (held != 0) {
      release();
    }
    disconnect();
  }

  /// Closes its socket; what it has to write is kept for another one.
  void disconnect() {
    if (slot >= 0) {
      loop.release(slot);
      slot = -1;
    }
    if (socket >= 0) {
      int _ = loop.calls().close(socket);
      socket = -1;
    }
  }

  /// Makes closing it an abort.
  void abort() {
    if (socket >= 0) {
      int _ = loop.calls().resetOnClose(socket);
    }
  }

  int socket() {
    return socket;
  }

  /// Takes what a client has sent before its socket is watched, to be written here later. False
  /// when the client is gone.
  boolean takeEarly(int client) {
    BufferPool buffers = loop.buffers();
    if (!buffers.hasRoom()) {
      return true;
    }
    long count = loop.calls().receive(client, buffers.scratch(), buffers.size());
    if (count > 0) {
      held = buffers.takeScratch();
      heldFrom = 0;
      heldTo = (int) count;
    }
    // The end of a stream is met again when it is carried.
    return count >= 0 || count == -NonBlockingSockets.EAGAIN || count == -NonBlockingSockets.EINTR;
  }

  boolean hasEarly() {
    return held != 0;
  }

  /// Tries to write what was taken early, at once: near endpoints have accepted before the call
  /// that connects returns. True when something was taken, so that the endpoint has accepted.
  boolean writeEarly() {
    long taken = loop.calls().send(socket, held + heldFrom, heldTo - heldFrom);
    if (taken <= 0) {
      return false;
    }
    connection.carried(taken);
    heldFrom += (int) taken;
    if (heldFrom == heldTo) {
      release();
    } else {
      writable = false;
    }
    return true;
  }

  @Override
  public void ready(int events) {
    if ((events & Epoll.IN) != 0) {
      readable = true;
    }
    if ((events & (Epoll.PEER_ENDED | Epoll.HANG_UP | Epoll.ERROR)) != 0) {
      readable = true;
      ending = true;
    }
    if ((events & Epoll.OUT) != 0) {
      writable = true;
    }
    connection.ready(this, events);
  }

  @Override
  public void drop() {
    connection.abort();
  }

  /// What carrying one way came to.
  enum TransferResult {
    /// Nothing more to do until something happens.
    RESTS,
    /// There is more.
    MORE,
    /// All has been carried and the end passed on.
    DONE,
    /// The connection is broken.
    BROKEN
  }

  /// Carries what has come to the other end, at most so many buffers of it.
  TransferResult carryTo(ConnectionSide to, int most) {
    if (to.held != 0 && !to.writeHeld()) {
      return to.held == 0 ? TransferResult.BROKEN : TransferResult.RESTS;
    }
    int budget = most;
    while (readable && !ended) {
      if (!to.writable) {
        return TransferResult.RESTS;
      }
      if (budget-- == 0) {
        return TransferResult.MORE;
      }
      if (!(loop.buffers().hasRoom() ? moveTo(to) : squeezeTo(to))) {
        return TransferResult.BROKEN;
      }
    }
    return ended ? passEndTo(to) : TransferResult.RESTS;
  }

  /// Reads into the scratch and writes it to the other end, which keeps what is not taken. False
  /// when a socket is broken.
  private boolean moveTo(ConnectionSide to) {
    NonBlockingSockets calls = loop.calls();
    BufferPool buffers = loop.buffers();
    long memory = buffers.scratch();
    long count = calls.receive(socket, memory, buffers.size());
    if (count <= 0) {
      return cameNothing(count);
    }
    // Fewer than asked for: nothing is left, and the next byte will be told.
    readable = ending || count == buffers.size();
    long taken = calls.send(to.socket, memory, count);
    if (taken == count) {
      connection.carried(count);
      return true;
    }
    if (isBroken(taken)) {
      return false;
    }
    int sent = (int) Math.max(0, taken);
    connection.carried(sent);
    to.hold(sent, (int) count);
    return true;
  }

  /// The same where no buffer is left to keep anything: bytes leave this socket only when the other
  /// has taken them. Slower by a call, but a connection that keeps all buffers busy stops no other.
  private boolean squeezeTo(ConnectionSide to) {
    NonBlockingSockets calls = loop.calls();
    BufferPool buffers = loop.buffers();
    long memory = buffers.scratch();
    long count = calls.peek(socket, memory, buffers.size());
    if (count <= 0) {
      return cameNothing(count);
    }
    long taken = calls.send(to.socket, memory, count);
    if (isBroken(taken)) {
      return false;
    }
    if (taken > 0) {
      connection.carried(taken);
      if (calls.discard(socket, taken) != taken) {
        return false;
      }
    }
    if (taken == count) {
      readable = ending || count == buffers.size();
    } else {
      to.awaitWriting();
    }
    return true;
  }

  private static boolean isBroken(long taken) {
    return taken < 0 && taken != -NonBlockingSockets.EAGAIN && taken != -NonBlockingSockets.EINTR;
  }

  private boolean cameNothing(long count) {
    if (count == 0) {
      ended = true;
    } else if (count == -NonBlockingSockets.EAGAIN) {
      readable = false;
      ending = false;
    } else {
      return count == -NonBlockingSockets.EINTR;
    }
    return true;
  }

  /// Keeps the scratch, whose bytes the socket does not take now.
  private void hold(int from, int to) {
    held = loop.buffers().takeScratch();
    heldFrom = from;
    heldTo = to;
    awaitWriting();
  }

  /// Has the loop tell when the socket takes bytes again.
  private void awaitWriting() {
    writable = false;
    if (!watchesWriting) {
      watchesWriting = true;
      loop.change(slot, socket, QUIET | Epoll.OUT);
    }
  }

  /// False when not all was taken; then nothing is held any more only if the socket is broken.
  private boolean writeHeld() {
    if (!writable) {
      return false;
    }
    while (heldFrom < heldTo) {
      long taken = loop.calls().send(socket, held + heldFrom, heldTo - heldFrom);
      if (taken >= 0) {
        heldFrom += (int) taken;
        connection.carried(taken);
      } else if (taken == -NonBlockingSockets.EAGAIN) {
        writable = false;
        return false;
      } else if (taken != -NonBlockingSockets.EINTR) {
        release();
        return false;
      }
    }
    release();
    return true;
  }

  private void release() {
    loop.buffers().give(held);
    held = 0;
  }

  private TransferResult passEndTo(ConnectionSide to) {
    if (!to.closedForWriting) {
      to.closedForWriting = true;
      // When the other way is done too, closing says the same.
      if (!closedForWriting && loop.calls().shutdownWrite(to.socket) < 0) {
        return TransferResult.BROKEN;
      }
    }
    return TransferResult.DONE;
  }
}
