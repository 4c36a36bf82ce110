package io.fairlead.proxy.userspace.relay;

import io.fairlead.kernel.syscall.SocketCalls;
import io.fairlead.proxy.userspace.balance.Target;
import org.jspecify.annotations.Nullable;

/// What one client of a UDP portal says to one endpoint, and its answers. Owned by the loop's
/// thread.
final class Conversation implements Source {
  private static final int AT_ONCE = 32;

  private final Loop loop;
  private final Datagrams datagrams;
  private final ClientKey client;
  private final Target target;
  private final int socket;
  private int slot;
  private boolean ended;
  // The place in the list of {@link Conversations}.
  long lastUsed;
  @Nullable Conversation older;
  @Nullable Conversation newer;

  Conversation(Loop loop, Datagrams datagrams, ClientKey client, Target target, int socket) {
    this.loop = loop;
    this.datagrams = datagrams;
    this.client = client;
    this.target = target;
    this.socket = socket;
  }

  ClientKey client() {
    return client;
  }

  void registered(int at) {
    slot = at;
  }

  /// Sends what the client said. False when the endpoint has refused an earlier datagram.
  boolean send(long memory, long size, long now) {
    loop.conversations().touch(this, now);
    long sent = loop.calls().send(socket, memory, size);
    if (sent >= 0) {
      datagrams.portal().carried(sent);
      return true;
    }
    // A full queue loses the datagram, as networks do.
    return sent == -SocketCalls.EAGAIN || sent == -SocketCalls.EINTR;
  }

  @Override
  public void ready(int events) {
    long memory = loop.buffers().scratch();
    int size = loop.buffers().size();
    long now = loop.now();
    for (int i = 0; i < AT_ONCE && !ended; i++) {
      long count = loop.calls().receive(socket, memory, size);
      if (count >= 0) {
        loop.conversations().touch(this, now);
        datagrams.answer(client, memory, count);
      } else if (count == -SocketCalls.EAGAIN) {
        return;
      } else if (count != -SocketCalls.EINTR) {
        // Refused: nobody listens there. The client's next datagram goes to another endpoint.
        target.failed(now);
        end();
      }
    }
  }

  /// Forgets it; the client's next datagram begins another.
  void end() {
    if (ended) {
      return;
    }
    ended = true;
    loop.conversations().remove(this);
    datagrams.forget(this);
    loop.release(slot);
    int _ = loop.calls().close(socket);
    target.end();
  }

  @Override
  public void drop() {
    end();
  }
}
