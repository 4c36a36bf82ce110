package io.fairlead.client.transport;

import java.util.Optional;

/// An answer that arrives line by line. Read by one thread; closed by any.
public interface LineStream extends AutoCloseable {
  /// The HTTP code. Anything but 200 means that the lines are the text of an error.
  int code();

  /// Waits for the next line, without its line feed. Empty when the server has ended the answer
  /// properly; `ConnectionException` when it was cut off or this stream was closed.
  Optional<byte[]> next();

  /// Ends the stream; a waiting `next` fails. Idempotent.
  @Override
  void close();
}
