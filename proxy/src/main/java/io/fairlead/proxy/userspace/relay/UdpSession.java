package io.fairlead.proxy.userspace.relay;

import io.fairlead.kernel.syscall.NonBlockingSockets;
import io.fairlead.proxy.userspace.balance.PooledEndpoint;
import org.jspecify.annotations.Nullable;

/// What one client of a UDP portal says to one endpoint, and its answers. Owned by the loop's
/// thread.
final class UdpSession implements SocketEventHandler {
  private static final int AT_ONCE = 32;

  private final RelayEventLoop loop;
  private final UdpPortalListener datagrams;
  private final ClientKey client;
  private final PooledEndpoint target;
  private final int socket;
  private int slot;
  private boolean ended;
  // The place in the list of {@link UdpSessionTable}.
  long lastUsed;
  @Nullable UdpSession older;
  @Nullable UdpSession newer;

  UdpSession(
      RelayEventLoop loop,
      UdpPortalListener datagrams,
      ClientKey client,
      PooledEndpoint target,
      int socket) {
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
    return sent == -NonBlockingSockets.EAGAIN || sent == -NonBlockingSockets.EINTR;
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
      } else if (count == -NonBlockingSockets.EAGAIN) {
        return;
      } else if (count != -NonBlockingSockets.EINTR) {
        // Refused: no process listens there. The client's next datagram goes to another endpoint.
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
