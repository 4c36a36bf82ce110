package io.fairlead.server.limits;

import io.fairlead.api.status.ApiException;
import io.fairlead.http.server.HttpServerExchange;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// Reads request bodies up to a limit. A body that is too large is refused as soon as that is
/// known: from its announced length, or at the first byte too many; never is more than the limit
/// held.
public final class RequestBodyReader {
  private static final int FIRST = 8 << 10;

  /// What is read and thrown away of a body that is too large, because many clients listen for the
  /// answer only after they have sent everything.
  private static final int DRAINED = 16 << 20;

  private static final int DISCARDED = 1 << 20;

  private RequestBodyReader() {}

  /// The whole body; empty when there is none.
  ///
  /// @throws ApiException 413 beyond the limit, 504 when the client was too slow, 400 when it broke
  ///   off
  public static byte[] read(HttpServerExchange exchange, int limit) {
    long announced = exchange.contentLength();
    byte[] bytes = new byte[announced >= 0 && announced <= limit ? (int) announced : FIRST];
    int used = 0;
    try (InputStream in = exchange.body()) {
      if (announced > limit) {
        throw tooLarge(exchange, in, limit, announced);
      }
      while (true) {
        if (used == bytes.length) {
          int next = in.read();
          if (next < 0) {
            return bytes;
          }
          if (used == limit) {
            throw tooLarge(exchange, in, limit, used);
          }
          bytes = Arrays.copyOf(bytes, Math.min(limit, Math.max(FIRST, bytes.length * 2)));
          bytes[used++] = (byte) next;
          continue;
        }
        int read = in.read(bytes, used, bytes.length - used);
        if (read < 0) {
          return used == bytes.length ? bytes : Arrays.copyOf(bytes, used);
        }
        used += read;
      }
    } catch (IOException e) {
      if (Deadline.isExceeded(e)) {
        throw Deadline.timeout();
      }
      throw ApiException.badRequest("the request body could not be read: " + e.getMessage());
    }
  }

  /// Reads and throws away what is left of the body of a refused request, so that the connection
  /// can serve the next one. A large rest is not worth it: the connection is closed after the
  /// answer.
  public static void discard(HttpServerExchange exchange) {
    byte[] thrownAway = new byte[FIRST];
    long left = DISCARDED;
    try (InputStream in = exchange.body()) {
      int read = 0;
      while (left > 0 && (read = in.read(thrownAway)) >= 0) {
        left -= read;
      }
      if (read < 0) {
        return;
      }
    } catch (IOException e) {
      // Too slow or gone; what matters now is the answer.
      left = 0;
    }
    exchange.setHeader("Connection", "close");
  }

  private static ApiException tooLarge(
      HttpServerExchange exchange, InputStream in, int limit, long announced) throws IOException {
    exchange.setHeader("Connection", "close");
    if (announced <= DRAINED) {
      byte[] thrownAway = new byte[FIRST];
      long left = DRAINED;
      int read;
      while (left > 0 && (read = in.read(thrownAway)) >= 0) {
        left -= read;
      }
    }
    return ApiException.tooLarge(limit);
  }
}
