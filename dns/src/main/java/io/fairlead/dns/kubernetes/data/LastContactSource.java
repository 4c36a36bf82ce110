package io.fairlead.dns.kubernetes.data;

import io.fairlead.client.ObjectPage;
import io.fairlead.client.WatchStream;
import io.fairlead.client.WatchStreamEvent;
import io.fairlead.client.informer.ListWatch;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads objects of one kind and records the time of the last contact with the server.
final class LastContactSource implements ListWatch {
  private static final int PAGE = 500;

  private final ListWatch source;
  private final Ticker ticker;
  private volatile long heardAt;
  private volatile boolean connected;
  private volatile @Nullable WatchStream open;

  LastContactSource(ListWatch source, Ticker ticker) {
    this.source = source;
    this.ticker = ticker;
    this.heardAt = ticker.nanos();
  }

  /// When the server last said something, on the ticker.
  long heardAt() {
    return heardAt;
  }

  boolean connected() {
    return connected;
  }

  /// Ends a watch on which nothing arrives any more; its reflector opens a new one.
  void hangUp() {
    WatchStream stream = open;
    if (stream != null) {
      stream.close();
    }
  }

  /// In pages, whatever was asked for: a server that cannot stream the state sends it in pieces.
  @Override
  public ObjectPage list(String version, int limit, String continueToken) {
    try {
      ObjectPage page = source.list("", PAGE, continueToken);
      heard();
      return page;
    } catch (RuntimeException e) {
      connected = false;
      throw e;
    }
  }

  @Override
  public WatchStream watch(String version, boolean initialEvents, Duration timeout) {
    try {
      WatchStream stream = source.watch(version, initialEvents, timeout);
      open = stream;
      heard();
      return new Watch(stream);
    } catch (RuntimeException e) {
      connected = false;
      throw e;
    }
  }

  private void heard() {
    heardAt = ticker.nanos();
    connected = true;
  }

  private final class Watch implements WatchStream {
    private final WatchStream stream;

    Watch(WatchStream stream) {
      this.stream = stream;
    }

    @Override
    public Optional<WatchStreamEvent> next() {
      try {
        Optional<WatchStreamEvent> event = stream.next();
        heard();
        return event;
      } catch (RuntimeException e) {
        connected = false;
        throw e;
      }
    }

    @Override
    public void close() {
      stream.close();
    }
  }

  @Override
  public String toString() {
    return source.toString();
  }
}
