package io.fairlead.server.limits;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.http.Exchange;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// Reads request bodies up to a limit. A body that is too large is refused as soon as that is
/// known: from its announced length, or at the first byte too many; never is more than the limit
/// held.
public final class Bodies {
  private static final int FIRST = 8 << 10;

  private Bodies() {}

  /// The whole body; empty when there is none.
  ///
  /// @throws ApiException 413 beyond the limit, 504 when the client was too slow, 400 when it broke
  ///   off
  public static byte[] read(Exchange exchange, int limit) {
    long announced = exchange.contentLength();
    if (announced > limit) {
      throw ApiException.tooLarge(limit);
    }
    byte[] bytes = new byte[announced >= 0 ? (int) announced : FIRST];
    int used = 0;
    try (InputStream in = exchange.body()) {
      while (true) {
        if (used == bytes.length) {
          int next = in.read();
          if (next < 0) {
            return bytes;
          }
          if (used == limit) {
            throw ApiException.tooLarge(limit);
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
}
