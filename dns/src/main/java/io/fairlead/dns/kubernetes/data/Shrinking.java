package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.json.Json;
import io.fairlead.client.Page;
import io.fairlead.client.WatchEvent;
import io.fairlead.client.WatchStream;
import io.fairlead.client.informer.ListWatch;
import io.fairlead.client.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.POJONode;

/// Reads objects and cuts each down to its facts as soon as it arrives, so that a list of a large
/// cluster never lies in memory as a whole. Also notes when the server was last heard of.
final class Shrinking implements ListWatch {
  private static final String FACTS = "facts";
  private static final int PAGE = 500;

  private final ListWatch source;
  private final Function<JsonNode, ?> read;
  private final Ticker ticker;
  private volatile long heardAt;
  private volatile boolean connected;
  private volatile @Nullable WatchStream open;

  Shrinking(ListWatch source, Function<JsonNode, ?> read, Ticker ticker) {
    this.source = source;
    this.read = read;
    this.ticker = ticker;
    this.heardAt = ticker.nanos();
  }

  /// The facts inside what this source hands out.
  static <T> T facts(Class<T> type, ObjectNode object) {
    return type.cast(((POJONode) object.path(FACTS)).getPojo());
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
    List<ObjectNode> all = new ArrayList<>();
    Page page = source.list("", PAGE, "");
    while (true) {
      page.items().forEach(item -> all.add(shrink(item)));
      heard();
      if (page.continueToken().isEmpty()) {
        return new Page(all, page.resourceVersion(), "");
      }
      page = source.list("", PAGE, page.continueToken());
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

  private ObjectNode shrink(ObjectNode object) {
    ObjectNode small = Json.object();
    ObjectNode metadata = small.putObject("metadata");
    metadata.put("name", Json.textOr(object, "", "metadata", "name"));
    metadata.put("namespace", Json.textOr(object, "", "metadata", "namespace"));
    metadata.put("resourceVersion", Json.textOr(object, "", "metadata", "resourceVersion"));
    small.putPOJO(FACTS, read.apply(object));
    return small;
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
        return event.map(
            each ->
                switch (each) {
                  case WatchEvent.Changed(ObjectNode object) ->
                      new WatchEvent.Changed(shrink(object));
                  case WatchEvent.Removed(ObjectNode object) ->
                      new WatchEvent.Removed(shrink(object));
                  case WatchEvent.Bookmark bookmark -> bookmark;
                  case WatchEvent.Failed failed -> failed;
                });
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
