package io.fairlead.api.json;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Reads an object token by token, for those who keep a few fields of very many objects: nothing is
/// made of the rest.
///
/// All methods begin at the token where a value begins. What a caller does not look at is passed
/// over, and so is a value of another type than asked for.
public final class Tokens {
  private Tokens() {}

  /// Names every member of an object in turn; its value is then the current one.
  public static void members(JsonParser in, Consumer<String> member) {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      in.skipChildren();
      return;
    }
    for (String name = in.nextName(); name != null; name = in.nextName()) {
      in.nextToken();
      member.accept(name);
      in.skipChildren();
    }
  }

  /// Calls for every item of a list; it is then the current value.
  public static void items(JsonParser in, Runnable item) {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      in.skipChildren();
      return;
    }
    while (in.nextToken() != JsonToken.END_ARRAY) {
      item.run();
      in.skipChildren();
    }
  }

  /// The current value when it is text, else null.
  public static @Nullable String text(JsonParser in) {
    return in.currentToken() == JsonToken.VALUE_STRING ? in.getString() : null;
  }

  public static String textOr(JsonParser in, String otherwise) {
    String text = text(in);
    return text == null ? otherwise : text;
  }

  /// The current value when it is a whole number.
  public static int integerOr(JsonParser in, int otherwise) {
    return in.currentToken() == JsonToken.VALUE_NUMBER_INT
        ? in.getValueAsInt(otherwise)
        : otherwise;
  }

  /// The current value when it is true or false.
  public static boolean booleanOr(JsonParser in, boolean otherwise) {
    return switch (in.currentToken()) {
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case null, default -> otherwise;
    };
  }
}
