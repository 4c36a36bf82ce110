package io.fairlead.dns.wire;

import java.util.Locale;
import java.util.OptionalInt;

/// Numbers of classes.
public final class RecordClass {
  public static final int IN = 1;
  public static final int CH = 3;
  public static final int HS = 4;
  public static final int NONE = 254;
  public static final int ANY = 255;

  private RecordClass() {}

  /// `IN`, `CH`, `CLASS9`.
  public static String name(int recordClass) {
    return switch (recordClass) {
      case IN -> "IN";
      case CH -> "CH";
      case HS -> "HS";
      case NONE -> "NONE";
      case ANY -> "ANY";
      default -> "CLASS" + recordClass;
    };
  }

  public static OptionalInt parse(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    return switch (upper) {
      case "IN" -> OptionalInt.of(IN);
      case "CH" -> OptionalInt.of(CH);
      case "HS" -> OptionalInt.of(HS);
      case "NONE" -> OptionalInt.of(NONE);
      case "ANY" -> OptionalInt.of(ANY);
      default -> Rfc3597Names.parse(upper, "CLASS");
    };
  }
}
