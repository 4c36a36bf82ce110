package io.fairlead.agent.stream;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A connection of binary messages, such as a WebSocket.
public interface Messages {
  /// Gets what the other side sends. Called by one thread at a time; the next call comes when this
  /// one has returned, so a receiver that waits slows its sender down.
  interface Receiver {
    /// A part of a message, or the whole of it.
    void part(byte[] bytes, boolean last) throws IOException;

    /// The connection has ended; nothing comes after this.
    ///
    /// @param why null when it was closed in an orderly way
    void gone(@Nullable Throwable why);
  }

  /// Sends one message and waits until it is on its way. Any thread; messages do not mix.
  void send(byte[] message) throws IOException;

  /// Says farewell; what was sent before still arrives.
  void close();
}
