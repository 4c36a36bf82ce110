package io.fairlead.api.json;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Reads an object token by token, for readers that keep a few fields of very many objects: nothing
/// is made of the rest.
///
/// All methods begin at the token where a value begins. Values that the caller does not read are
/// skipped, and so is a value of another type than asked for. Callers walk objects and lists with
/// loops like
///
/// ```java
/// for (String name = JsonTokenReader.firstMember(in);
///     name != null;
///     name = JsonTokenReader.nextMember(in)) {
///   …
/// }
/// ```
///
/// and not with callbacks, which would make garbage for each of very many objects.
public final class JsonTokenReader {
  private JsonTokenReader() {}

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

  /// The current value when it is a whole number.
  public static long longOr(JsonParser in, long otherwise) {
    return in.currentToken() == JsonToken.VALUE_NUMBER_INT
        ? in.getValueAsLong(otherwise)
        : otherwise;
  }

  /// The current value when it is a whole number, else null.
  public static @Nullable Integer integerOrNull(JsonParser in) {
    return in.currentToken() == JsonToken.VALUE_NUMBER_INT ? in.getValueAsInt() : null;
  }

  /// The current value when it is a whole number, else null.
  public static @Nullable Long longOrNull(JsonParser in) {
    return in.currentToken() == JsonToken.VALUE_NUMBER_INT ? in.getValueAsLong() : null;
  }

  /// The current value when it is text or a number, as text; else empty. For values that may be
  /// either, such as ports and amounts.
  public static String scalar(JsonParser in) {
    JsonToken token = in.currentToken();
    boolean number = token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT;
    return number || token == JsonToken.VALUE_STRING ? in.getString() : "";
  }

  /// Whether the current value is an object.
  public static boolean isObject(JsonParser in) {
    return in.currentToken() == JsonToken.START_OBJECT;
  }

  /// The items of a list, an empty text for each that is none.
  public static List<String> texts(JsonParser in) {
    if (!firstItem(in)) {
      return List.of();
    }
    String first = textOr(in, "");
    if (!nextItem(in)) {
      return List.of(first);
    }
    List<String> texts = new ArrayList<>();
    texts.add(first);
    do {
      texts.add(textOr(in, ""));
    } while (nextItem(in));
    return texts;
  }

  /// The current value when it is true or false, else null.
  // Compared and not switched over: the first switch over an enum takes a fresh JVM long.
  public static @Nullable Boolean booleanOrNull(JsonParser in) {
    JsonToken token = in.currentToken();
    if (token == JsonToken.VALUE_TRUE) {
      return Boolean.TRUE;
    }
    return token == JsonToken.VALUE_FALSE ? Boolean.FALSE : null;
  }

  /// The current value when it is true or false.
  public static boolean booleanOr(JsonParser in, boolean otherwise) {
    Boolean value = booleanOrNull(in);
    return value == null ? otherwise : value;
  }
}
