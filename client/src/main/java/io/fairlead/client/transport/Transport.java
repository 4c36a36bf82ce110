package io.fairlead.client.transport;

/// Requests to an API server. Blocking; safe for many threads.
///
/// Both operations throw `ConnectionException` when no answer could be had, and return an error of
/// the server as an ordinary answer.
public interface Transport extends AutoCloseable {
  /// Sends one request and waits for the whole answer.
  ApiResponse send(ApiRequest request);

  /// Sends one request whose answer arrives line by line over a long time.
  LineStream stream(ApiRequest request);

  /// Ends all streams and lets go of connections. Idempotent.
  @Override
  void close();
}
