package io.fairlead.server.limits;

import io.fairlead.api.status.ApiException;
import java.util.concurrent.Semaphore;

/// Bounds how many requests are worked on at once. Reading and writing have separate bounds, so
/// that a storm of one does not stop the other. Watches and health checks are not counted. Who
/// finds no place is refused with 429; requests do not queue.
public final class MaxInFlightLimiter {
  private static final String TOO_MANY = "Too many requests, please try again later.";

  private final Semaphore reading;
  private final Semaphore writing;
  private final int readLimit;
  private final int writeLimit;

  public MaxInFlightLimiter(int reads, int writes) {
    reading = new Semaphore(reads);
    writing = new Semaphore(writes);
    readLimit = reads;
    writeLimit = writes;
  }

  /// A place; give it back by closing it.
  public interface Permit extends AutoCloseable {
    @Override
    void close();
  }

  /// Takes a place.
  ///
  /// @throws ApiException 429 when all are taken
  public Permit enter(boolean mutating) {
    Semaphore places = mutating ? writing : reading;
    if (!places.tryAcquire()) {
      throw ApiException.tooManyRequests(TOO_MANY, 1);
    }
    return places::release;
  }

  /// How many requests of that sort are being worked on.
  public int inFlight(boolean mutating) {
    return mutating
        ? writeLimit - writing.availablePermits()
        : readLimit - reading.availablePermits();
  }
}
