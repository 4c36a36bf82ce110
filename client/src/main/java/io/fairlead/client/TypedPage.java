package io.fairlead.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// One page of a list, of whose objects only what a reader keeps was read, from their tokens.
///
/// @param continueToken leads to the next page; empty on the last
public record TypedPage<T>(List<T> items, String continueToken) {
  public TypedPage {
    items = List.copyOf(items);
  }

  /// @param in at the token where the list begins
  /// @param reader begins at the token where an object begins, and ends where it ends
  /// @param following is given the token of the next page, if there is one, when it is read
  static <T> TypedPage<T> read(
      JsonParser in, Function<JsonParser, T> reader, Consumer<String> following) {
    List<T> items = new ArrayList<>();
    String next = "";
    for (String name = in.nextName(); name != null; name = in.nextName()) {
      JsonToken begin = in.nextToken();
      if (name.equals("items") && begin == JsonToken.START_ARRAY) {
        while (in.nextToken() == JsonToken.START_OBJECT) {
          items.add(reader.apply(in));
        }
      } else if (name.equals("metadata") && begin == JsonToken.START_OBJECT) {
        for (String own = in.nextName(); own != null; own = in.nextName()) {
          JsonToken value = in.nextToken();
          if (own.equals("continue") && value == JsonToken.VALUE_STRING) {
            next = in.getString();
            if (!next.isEmpty()) {
              following.accept(next);
            }
          } else {
            in.skipChildren();
          }
        }
      } else {
        in.skipChildren();
      }
    }
    return new TypedPage<>(items, next);
  }
}
