package io.fairlead.proxy.userspace.relay;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.syscall.Epoll;
import io.fairlead.kernel.syscall.NativeSocketAddress;
import io.fairlead.kernel.syscall.NonBlockingSockets;
import io.fairlead.proxy.userspace.balance.PooledEndpoint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A UDP socket that clients send to. Each client gets a socket of its own to its endpoint, so that
/// answers find their way back. Owned by the loop's thread.
final class UdpPortalListener implements SocketEventHandler {
  private static final Logger log = LoggerFactory.getLogger(UdpPortalListener.class);
  private static final int AT_ONCE = 32;

  private final RelayEventLoop loop;
  private final Portal portal;
  private final int socket;
  private final Map<ClientKey, UdpSession> conversations = new HashMap<>();
  private final ClientKey probe = new ClientKey();
  private int slot = -1;

  UdpPortalListener(RelayEventLoop loop, Portal portal, int socket) {
    this.loop = loop;
    this.portal = portal;
    this.socket = socket;
  }

  Portal portal() {
    return portal;
  }

  void begin() {
    slot = loop.register(this, socket, Epoll.IN);
    if (slot < 0) {
      log.atError()
          .addKeyValue("service", portal.pool().name())
          .addKeyValue("errno", -slot)
          .log("cannot watch a listener");
    }
  }

  /// Closes it with all conversations.
  void end() {
    if (slot >= 0) {
      List.copyOf(conversations.values()).forEach(UdpSession::end);
      loop.release(slot);
      slot = -1;
      int _ = loop.calls().close(socket);
    }
  }

  @Override
  public void ready(int events) {
    NonBlockingSockets calls = loop.calls();
    long memory = loop.buffers().scratch();
    long now = loop.now();
    for (int i = 0; i < AT_ONCE; i++) {
      long count = calls.receiveFrom(socket, memory, loop.buffers().size());
      if (count >= 0) {
        forward(probe.set(calls.peer()), memory, count, now);
      } else if (count == -NonBlockingSockets.EAGAIN) {
        return;
      }
    }
  }

  private void forward(ClientKey from, long memory, long size, long now) {
    UdpSession known = conversations.get(from);
    if (known != null) {
      if (known.send(memory, size, now)) {
        return;
      }
      known.end();
    }
    UdpSession begun = begin(from.copy(), now);
    if (begun != null && !begun.send(memory, size, now)) {
      begun.end();
    }
  }

  /// Null when there is no endpoint, or no socket left: the datagram is lost.
  private @Nullable UdpSession begin(ClientKey client, long now) {
    boolean ipv4 = portal.address().isIpv4();
    PooledEndpoint target = portal.pool().choose(ipv4, client.high(), client.low(), List.of());
    if (target == null) {
      return null;
    }
    NonBlockingSockets calls = loop.calls();
    IpAddress address = target.address();
    int out =
        calls.open(
            address.isIpv4() ? NonBlockingSockets.AF_INET : NonBlockingSockets.AF_INET6,
            NonBlockingSockets.SOCK_DGRAM);
    if (out < 0) {
      return null;
    }
    NativeSocketAddress to =
        loop.address().set(address.isIpv4(), address.high(), address.low(), target.port());
    UdpSession conversation = new UdpSession(loop, this, client, target, out);
    int at = calls.connect(out, to) < 0 ? -1 : loop.register(conversation, out, Epoll.IN);
    if (at < 0) {
      target.failed(now);
      int _ = calls.close(out);
      return null;
    }
    conversation.registered(at);
    target.begin();
    target.accepted();
    portal.opened();
    loop.conversations().add(conversation, now);
    conversations.put(client, conversation);
    return conversation;
  }

  /// Sends an endpoint's answer to a client.
  void answer(ClientKey client, long memory, long size) {
    NativeSocketAddress to =
        loop.address().set(portal.address().isIpv4(), client.high(), client.low(), client.port());
    // What cannot be sent now is lost, as networks lose datagrams.
    if (loop.calls().sendTo(socket, memory, size, to) >= 0) {
      portal.carried(size);
    }
  }

  void forget(UdpSession conversation) {
    conversations.remove(conversation.client());
    portal.closed();
  }

  @Override
  public void drop() {
    end();
  }
}
