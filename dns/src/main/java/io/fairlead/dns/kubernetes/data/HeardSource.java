package io.fairlead.dns.kubernetes.data;

import io.fairlead.client.Page;
import io.fairlead.client.WatchEvent;
import io.fairlead.client.WatchStream;
import io.fairlead.client.informer.ListWatch;
import io.fairlead.client.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads objects of one kind and notes when the server was last heard of.
final class HeardSource implements ListWatch {
  private static final int PAGE = 500;

  private final ListWatch source;
  private final Ticker ticker;
  private volatile long heardAt;
  private volatile boolean connected;
  private volatile @Nullable WatchStream open;

  HeardSource(ListWatch source, Ticker ticker) {
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

  /// Ends a watch on which nothing is heard any more; it will be opened anew.
  void hangUp() {
    WatchStream stream = open;
    if (stream != null) {
      stream.close();
    }
  }

  /// In pages, whatever was asked for: a server that cannot stream the state sends it in pieces.
  @Override
  public Page list(String version, int limit, String continueToken) {
    try {
      Page page = source.list("", PAGE, continueToken);
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
    public Optional<WatchEvent> next() {
      try {
        Optional<WatchEvent> event = stream.next();
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
