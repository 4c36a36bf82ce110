package io.fairlead.agent.stream;

import io.fairlead.api.json.Json;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;

/// Reads sizes of the user's screen, `{"Width":80,"Height":24}` one after another, and tells them
/// on. Guarded by its own lock.
final class Sizes {
  private static final int LARGEST = 0xffff;

  private Channels.@Nullable Screen screen;
  private int columns;
  private int rows;

  /// Follows a stream of sizes until it ends or makes no sense.
  void follow(InputStream in) {
    try (in;
        MappingIterator<JsonNode> sizes = Json.mapper().readerFor(JsonNode.class).readValues(in)) {
      while (sizes.hasNext()) {
        take(sizes.next());
      }
    } catch (IOException | JacksonException _) {
      // The screen keeps the size it has.
    }
  }

  private void take(JsonNode size) {
    int width = size.path("Width").asInt(0);
    int height = size.path("Height").asInt(0);
    // A client that does not know its size says zero.
    if (width > 0 && height > 0 && width <= LARGEST && height <= LARGEST) {
      set(width, height);
    }
  }

  private synchronized void set(int width, int height) {
    columns = width;
    rows = height;
    if (screen != null) {
      screen.resize(columns, rows);
    }
  }

  synchronized void screen(Channels.Screen told) {
    screen = told;
    if (columns > 0) {
      told.resize(columns, rows);
    }
  }
}
