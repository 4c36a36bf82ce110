package io.fairlead.proxy.userspace.relay;

/// A socket of a loop. Called by the loop's thread only.
interface SocketEventHandler {

  /// Something happened.
  ///
  /// @param events bits of {@link io.fairlead.kernel.syscall.Epoll}
  void ready(int events);

  /// Gives everything back, at once. Also when it is broken.
  void drop();
}
