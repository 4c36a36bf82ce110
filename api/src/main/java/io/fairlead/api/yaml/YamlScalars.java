package io.fairlead.api.yaml;

import io.fairlead.api.json.DecodeException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// What an unquoted word means: the rules of YAML 1.1 as the Go library applies them, because that
/// is what every manifest was tried with. `on` is true, `010` is eight, `1:30` is text.
final class YamlScalars {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  static final JsonNode NULL = NODES.nullNode();

  private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> TRUE =
      Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
  private static final Set<String> FALSE =
      Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
  private static final Set<String> INFINITE =
      Set.of(
          ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf",
          "-.Inf", "-.INF");
  private static final String CORE = "tag:yaml.org,2002:";

  /// A number longer than this is text, not a number.
  private static final int MAX_DIGITS = 100;

  private YamlScalars() {}

  static JsonNode text(String value) {
    return NODES.stringNode(value);
  }

  /// The value of a plain scalar.
  static JsonNode resolve(String plain) {
    if (NULLS.contains(plain)) {
      return NULL;
    }
    if (TRUE.contains(plain)) {
      return NODES.booleanNode(true);
    }
    if (FALSE.contains(plain)) {
      return NODES.booleanNode(false);
    }
    if (INFINITE.contains(plain)) {
      throw new DecodeException("invalid YAML: JSON has no number " + plain);
    }
    JsonNode number = number(plain);
    return number == null ? text(plain) : number;
  }

  /// Whether that text, unquoted, would be read back as something else.
  static boolean needsQuotes(String text) {
    return NULLS.contains(text)
        || TRUE.contains(text)
        || FALSE.contains(text)
        || INFINITE.contains(text)
        || number(text) != null;
  }

  static JsonNode tagged(String tag, String value) {
    return switch (tag) {
      case "!", CORE + "str" -> text(value);
      case CORE + "null", CORE + "bool", CORE + "int", CORE + "float" -> resolve(value);
      case CORE + "binary" -> text(decoded(value));
      default -> throw new DecodeException("invalid YAML: tag " + tag + " is not supported");
    };
  }

  private static String decoded(String base64) {
    try {
      return new String(
          Base64.getMimeDecoder().decode(base64), java.nio.charset.StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new DecodeException("invalid YAML: !!binary is not base64");
    }
  }

  private static @Nullable JsonNode number(String plain) {
    char first = plain.isEmpty() ? ' ' : plain.charAt(0);
    boolean mayBeNumber = (first >= '0' && first <= '9') || "+-.".indexOf(first) >= 0;
    if (!mayBeNumber || plain.length() > MAX_DIGITS) {
      return null;
    }
    String digits = plain.replace("_", "");
    JsonNode integer = integer(digits);
    return integer == null ? decimal(digits) : integer;
  }

  private static @Nullable JsonNode integer(String digits) {
    boolean negative = digits.startsWith("-");
    String body = negative || digits.startsWith("+") ? digits.substring(1) : digits;
    int radix = radix(body);
    String number = radix == 10 ? body : body.substring(radix == 8 && !marked(body) ? 1 : 2);
    if (number.isEmpty() || !number.chars().allMatch(c -> Character.digit(c, radix) >= 0)) {
      return null;
    }
    BigInteger value = new BigInteger(number, radix);
    return integral(negative ? value.negate() : value);
  }

  private static int radix(String body) {
    if (body.startsWith("0x") || body.startsWith("0X")) {
      return 16;
    }
    if (body.startsWith("0b") || body.startsWith("0B")) {
      return 2;
    }
    return body.length() > 1 && body.startsWith("0") ? 8 : 10;
  }

  private static boolean marked(String octal) {
    return octal.startsWith("0o") || octal.startsWith("0O");
  }

  private static @Nullable JsonNode decimal(String digits) {
    if (!isDecimal(digits)) {
      return null;
    }
    double value = Double.parseDouble(digits);
    if (Double.isInfinite(value)) {
      return null;
    }
    // Go prints 80.0 as 80 on the way to JSON, so an integer field takes it.
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? integral(new BigDecimal(value).toBigInteger())
        : NODES.numberNode(value);
  }

  /// `[-+]? ( .digits | digits [. digits?] ) ( [eE] [-+]? digits )?`
  private static boolean isDecimal(String text) {
    int at = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    int whole = digitsFrom(text, at);
    at += whole;
    int fraction = 0;
    if (at < text.length() && text.charAt(at) == '.') {
      fraction = digitsFrom(text, at + 1);
      at += 1 + fraction;
    }
    if (whole + fraction == 0) {
      return false;
    }
    if (at < text.length() && (text.charAt(at) | 0x20) == 'e') {
      at++;
      if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
        at++;
      }
      int exponent = digitsFrom(text, at);
      return exponent > 0 && at + exponent == text.length();
    }
    return at == text.length();
  }

  private static int digitsFrom(String text, int start) {
    int at = start;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at - start;
  }

  private static JsonNode integral(BigInteger value) {
    if (value.bitLength() < Integer.SIZE) {
      return NODES.numberNode(value.intValue());
    }
    return value.bitLength() < Long.SIZE
        ? NODES.numberNode(value.longValue())
        : NODES.numberNode(value);
  }
}
