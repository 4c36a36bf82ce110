package io.fairlead.agent.stream;

import io.fairlead.api.json.Json;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Reads sizes of the user's terminal, `{"Width":80,"Height":24}` one after another, and hands them
/// to a listener. Guarded by its own lock.
final class TerminalSizeReader {
  private static final int LARGEST = 0xffff;

  private RemoteCommandChannels.@Nullable ResizeListener listener;
  private int columns;
  private int rows;

  /// Follows a stream of sizes until it ends or makes no sense.
  void follow(InputStream in) {
    try (in;
        JsonParser sizes = Json.mapper().createParser(in)) {
      for (JsonToken token = sizes.nextToken(); token != null; token = sizes.nextToken()) {
        if (token == JsonToken.START_OBJECT) {
          take(sizes);
        } else {
          sizes.skipChildren();
        }
      }
    } catch (IOException | JacksonException _) {
      // The terminal keeps the size it has.
    }
  }

  /// Reads one size. Nothing else is kept of it: a user could send a value without an end.
  private void take(JsonParser size) {
    int width = 0;
    int height = 0;
    while (size.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = size.currentName();
      size.nextToken();
      switch (name) {
        case "Width" -> width = size.getValueAsInt(0);
        case "Height" -> height = size.getValueAsInt(0);
        default -> {}
      }
      size.skipChildren();
    }
    // A client that does not know its size says zero.
    if (width > 0 && height > 0 && width <= LARGEST && height <= LARGEST) {
      set(width, height);
    }
  }

  private synchronized void set(int width, int height) {
    columns = width;
    rows = height;
    if (listener != null) {
      listener.resize(columns, rows);
    }
  }

  synchronized void onResize(RemoteCommandChannels.ResizeListener next) {
    listener = next;
    if (columns > 0) {
      next.resize(columns, rows);
    }
  }
}
