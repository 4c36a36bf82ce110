package io.fairlead.http.server;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A connection of messages, such as a WebSocket. They are binary; a receiver whose protocol has
/// text says so.
public interface MessageConnection {
  /// Gets what the other side sends. Called by one thread at a time; the next call comes when this
  /// one has returned, so a receiver that waits slows its sender down.
  interface Receiver {
    /// A part of a message, or the whole of it.
    void part(byte[] bytes, boolean last) throws IOException;

    /// Whether text is part of the protocol; the connection is closed otherwise when some comes.
    default boolean takesText() {
      return false;
    }

    /// A part of a text message, for those who take text.
    default void text(String part, boolean last) throws IOException {
      throw new IOException("binary messages only");
    }

    /// The connection has ended; nothing comes after this.
    ///
    /// @param why null when it was closed in an orderly way
    void gone(@Nullable Throwable why);
  }

  /// Sends one message and waits until it is on its way. Any thread; messages do not mix.
  void send(byte[] message) throws IOException;

  /// The same for a message of text.
  void sendText(String message) throws IOException;

  /// Says farewell; what was sent before still arrives.
  void close();
}
