package io.fairlead.proxy.userspace.relay;

import io.fairlead.kernel.syscall.Epoll;
import io.fairlead.kernel.syscall.NonBlockingSockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A loop's view of a listening TCP socket, which all loops share. Owned by the loop's thread.
final class Acceptor implements SocketEventHandler {
  private static final Logger log = LoggerFactory.getLogger(Acceptor.class);
  private static final int AT_ONCE = 64;

  private final RelayEventLoop loop;
  private final Portal portal;
  private final int socket;
  private int slot = -1;

  Acceptor(RelayEventLoop loop, Portal portal, int socket) {
    this.loop = loop;
    this.portal = portal;
    this.socket = socket;
  }

  /// Begins to accept.
  void begin() {
    slot = loop.register(this, socket, Epoll.IN | Epoll.EXCLUSIVE);
    if (slot < 0) {
      log.atError()
          .addKeyValue("service", portal.pool().name())
          .addKeyValue("errno", -slot)
          .log("cannot watch a listener");
    }
  }

  /// Accepts those who have already come, and then no more. The socket is closed when all loops
  /// have let go of it.
  void end() {
    if (slot >= 0) {
      while (accept()) {
        // One after the other.
        continue;
      }
      loop.release(slot);
      slot = -1;
    }
  }

  @Override
  public void ready(int events) {
    boolean more = true;
    for (int i = 0; i < AT_ONCE && more; i++) {
      more = accept();
    }
  }

  /// Accepts a client that waits. False when none does, or none can be taken.
  private boolean accept() {
    NonBlockingSockets calls = loop.calls();
    int client = calls.accept(socket);
    if (client >= 0) {
      new RelayedConnection(loop, portal, calls.peer()).begin(client);
      return true;
    }
    if (client == -NonBlockingSockets.EMFILE || client == -NonBlockingSockets.ENFILE) {
      log.atError()
          .addKeyValue("service", portal.pool().name())
          .log("too many open files, a client is sent away");
      loop.turnAway(socket);
      return false;
    }
    return client == -NonBlockingSockets.EINTR || client == -NonBlockingSockets.ECONNABORTED;
  }

  @Override
  public void drop() {
    end();
  }
}
