package io.fairlead.api.json;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Reads an object token by token, for those who keep a few fields of very many objects: nothing is
/// made of the rest.
///
/// All methods begin at the token where a value begins. What a caller does not look at is passed
/// over, and so is a value of another type than asked for. Objects and lists are walked through by
/// loops like
///
/// ```java
/// for (String name = Tokens.firstMember(in); name != null; name = Tokens.nextMember(in)) {
///   …
/// }
/// ```
///
/// and not by calling back: a process that has just started takes long to make so many lambdas.
public final class Tokens {
  private Tokens() {}

  /// The name of the first member of an object, whose value is then the current one; null when
  /// there is none, or the current value is no object.
  public static @Nullable String firstMember(JsonParser in) {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      in.skipChildren();
      return null;
    }
    return member(in);
  }

  /// The name of the member behind the current value; null when the object ends.
  public static @Nullable String nextMember(JsonParser in) {
    in.skipChildren();
    return member(in);
  }

  private static @Nullable String member(JsonParser in) {
    String name = in.nextName();
    if (name != null) {
      in.nextToken();
    }
    return name;
  }

  /// Goes to the first item of a list. False when there is none, or the current value is no list.
  public static boolean firstItem(JsonParser in) {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      in.skipChildren();
      return false;
    }
    return in.nextToken() != JsonToken.END_ARRAY;
  }

  /// Goes to the item behind the current one. False when the list ends.
  public static boolean nextItem(JsonParser in) {
    in.skipChildren();
    return in.nextToken() != JsonToken.END_ARRAY;
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
