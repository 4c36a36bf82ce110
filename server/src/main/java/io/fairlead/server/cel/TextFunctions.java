package io.fairlead.server.cel;

import static io.fairlead.server.cel.CelType.BOOL;
import static io.fairlead.server.cel.CelType.DYN;
import static io.fairlead.server.cel.CelType.INT;
import static io.fairlead.server.cel.CelType.STRING;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;

/// What can be done with texts, regular expressions included.
final class TextFunctions {
  private static final CelType TEXTS = CelType.list(STRING);

  private TextFunctions() {}

  static void addTo(CelFunctions all) {
    List<CelType> two = List.of(STRING, STRING);
    all.method("contains", BOOL, two, both -> text(both, 0).contains(text(both, 1)));
    all.method("startsWith", BOOL, two, both -> text(both, 0).startsWith(text(both, 1)));
    all.method("endsWith", BOOL, two, both -> text(both, 0).endsWith(text(both, 1)));
    CelFunction.Body matches = both -> pattern(text(both, 1)).matcher(text(both, 0)).find();
    all.method("matches", BOOL, two, matches);
    all.function("matches", BOOL, two, matches);
    all.method("find", STRING, two, both -> find(text(both, 0), text(both, 1)));
    all.method("findAll", TEXTS, two, both -> findAll(text(both, 0), text(both, 1), -1));
    all.method(
        "findAll",
        TEXTS,
        List.of(STRING, STRING, INT),
        three -> findAll(text(three, 0), text(three, 1), number(three, 2)));
    all.method("lowerAscii", STRING, List.of(STRING), one -> ascii(text(one, 0), 'A', 'Z', 32));
    all.method("upperAscii", STRING, List.of(STRING), one -> ascii(text(one, 0), 'a', 'z', -32));
    all.method("trim", STRING, List.of(STRING), one -> text(one, 0).strip());
    all.method(
        "reverse",
        STRING,
        List.of(STRING),
        one -> new StringBuilder(text(one, 0)).reverse().toString());
    all.method(
        "charAt", STRING, List.of(STRING, INT), both -> charAt(text(both, 0), number(both, 1)));
    places(all);
    pieces(all);
    all.method(
        "format",
        STRING,
        List.of(STRING, CelType.list(DYN)),
        both -> format(text(both, 0), (List<?>) both.get(1)));
    all.function("strings.quote", STRING, List.of(STRING), one -> quoted(text(one, 0)));
    all.function(
        "jsonpatch.escapeKey",
        STRING,
        List.of(STRING),
        one -> text(one, 0).replace("~", "~0").replace("/", "~1"));
  }

  private static void places(CelFunctions all) {
    all.method(
        "indexOf", INT, List.of(STRING, STRING), both -> indexOf(text(both, 0), text(both, 1), 0));
    all.method(
        "indexOf",
        INT,
        List.of(STRING, STRING, INT),
        three -> indexOf(text(three, 0), text(three, 1), number(three, 2)));
    all.method(
        "lastIndexOf",
        INT,
        List.of(STRING, STRING),
        both -> points(text(both, 0), text(both, 0).lastIndexOf(text(both, 1))));
    all.method(
        "lastIndexOf",
        INT,
        List.of(STRING, STRING, INT),
        three ->
            points(
                text(three, 0),
                text(three, 0)
                    .lastIndexOf(text(three, 1), offset(text(three, 0), number(three, 2)))));
    all.method(
        "substring",
        STRING,
        List.of(STRING, INT),
        both -> text(both, 0).substring(offset(text(both, 0), number(both, 1))));
    all.method(
        "substring",
        STRING,
        List.of(STRING, INT, INT),
        three -> {
          String text = text(three, 0);
          int from = offset(text, number(three, 1));
          int to = offset(text, number(three, 2));
          if (from > to) {
            throw new CelEvaluationException(
                "invalid substring range. start: "
                    + number(three, 1)
                    + ", end: "
                    + number(three, 2));
          }
          return text.substring(from, to);
        });
  }

  private static void pieces(CelFunctions all) {
    all.method(
        "replace",
        STRING,
        List.of(STRING, STRING, STRING),
        three -> text(three, 0).replace(text(three, 1), text(three, 2)));
    all.method(
        "replace",
        STRING,
        List.of(STRING, STRING, STRING, INT),
        four -> replace(text(four, 0), text(four, 1), text(four, 2), number(four, 3)));
    all.method(
        "split", TEXTS, List.of(STRING, STRING), both -> split(text(both, 0), text(both, 1), -1));
    all.method(
        "split",
        TEXTS,
        List.of(STRING, STRING, INT),
        three -> split(text(three, 0), text(three, 1), number(three, 2)));
    all.method("join", STRING, List.of(TEXTS), one -> join((List<?>) one.get(0), ""));
    all.method(
        "join", STRING, List.of(TEXTS, STRING), both -> join((List<?>) both.get(0), text(both, 1)));
  }

  private static String text(List<Object> arguments, int at) {
    return (String) arguments.get(at);
  }

  private static long number(List<Object> arguments, int at) {
    return (Long) arguments.get(at);
  }

  static Pattern pattern(String text) {
    try {
      return BoundedPattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new CelEvaluationException("Illegal regex: " + e.getMessage());
    }
  }

  private static String find(String text, String pattern) {
    Matcher matcher = pattern(pattern).matcher(text);
    return matcher.find() ? matcher.group() : "";
  }

  private static List<Object> findAll(String text, String pattern, long most) {
    List<Object> found = new ArrayList<>();
    Matcher matcher = pattern(pattern).matcher(text);
    while ((most < 0 || found.size() < most) && matcher.find()) {
      found.add(matcher.group());
    }
    return found;
  }

  private static String ascii(String text, char from, char to, int shift) {
    StringBuilder out = new StringBuilder(text);
    for (int at = 0; at < out.length(); at++) {
      char c = out.charAt(at);
      if (c >= from && c <= to) {
        out.setCharAt(at, (char) (c + shift));
      }
    }
    return out.toString();
  }

  /// Where in a Java string that code point is.
  private static int offset(String text, long point) {
    if (point < 0 || point > text.codePointCount(0, text.length())) {
      throw new CelEvaluationException("index out of range: " + point);
    }
    return text.offsetByCodePoints(0, (int) point);
  }

  private static long points(String text, int offset) {
    return offset < 0 ? -1 : text.codePointCount(0, offset);
  }

  private static long indexOf(String text, String part, long from) {
    return points(text, text.indexOf(part, offset(text, from)));
  }

  private static String charAt(String text, long point) {
    int at = offset(text, point);
    return at == text.length() ? "" : Character.toString(text.codePointAt(at));
  }

  private static String replace(String text, String old, String fresh, long most) {
    if (most < 0) {
      return text.replace(old, fresh);
    }
    StringBuilder out = new StringBuilder();
    int at = 0;
    for (long done = 0; done < most; done++) {
      int found = text.indexOf(old, at);
      if (found < 0 || old.isEmpty()) {
        break;
      }
      out.append(text, at, found).append(fresh);
      at = found + old.length();
    }
    return out.append(text.substring(at)).toString();
  }

  private static List<Object> split(String text, String separator, long most) {
    List<Object> parts = new ArrayList<>();
    if (most == 0) {
      return parts;
    }
    if (separator.isEmpty()) {
      text.codePoints().forEach(point -> parts.add(Character.toString(point)));
      return parts;
    }
    int at = 0;
    int found = text.indexOf(separator);
    while (found >= 0 && (most < 0 || parts.size() < most - 1)) {
      parts.add(text.substring(at, found));
      at = found + separator.length();
      found = text.indexOf(separator, at);
    }
    parts.add(text.substring(at));
    return parts;
  }

  private static String join(List<?> parts, String separator) {
    List<String> texts = new ArrayList<>();
    for (Object part : parts) {
      if (!(part instanceof String text)) {
        throw CelEvaluationException.noOverload();
      }
      texts.add(text);
    }
    return String.join(separator, texts);
  }

  private static String quoted(String text) {
    return "\""
        + text.replace("\\", "\\\\")
            .replace("\"", "\\\"")
            .replace("\n", "\\n")
            .replace("\t", "\\t")
            .replace("\r", "\\r")
        + "\"";
  }

  private static String format(String pattern, List<?> values) {
    StringBuilder out = new StringBuilder();
    int next = 0;
    for (int at = 0; at < pattern.length(); at++) {
      char c = pattern.charAt(at);
      if (c != '%') {
        out.append(c);
        continue;
      }
      at++;
      if (at < pattern.length() && pattern.charAt(at) == '%') {
        out.append('%');
        continue;
      }
      int precision = 6;
      if (at < pattern.length() && pattern.charAt(at) == '.') {
        int begin = at + 1;
        do {
          at++;
        } while (at < pattern.length() && Character.isDigit(pattern.charAt(at)));
        precision =
            at - begin > 3 || at == begin ? 6 : Integer.parseInt(pattern.substring(begin, at));
      }
      if (at >= pattern.length() || next >= values.size()) {
        throw new CelEvaluationException("index " + next + " out of range");
      }
      out.append(clause(pattern.charAt(at), precision, values.get(next)));
      next++;
    }
    return out.toString();
  }

  private static String clause(char verb, int precision, Object value) {
    return switch (verb) {
      case 's' -> ConversionFunctions.toText(value);
      case 'd' -> ConversionFunctions.toText(value);
      case 'f' ->
          String.format(java.util.Locale.ROOT, "%." + precision + "f", CelValues.number(value));
      case 'e' ->
          String.format(java.util.Locale.ROOT, "%." + precision + "e", CelValues.number(value));
      case 'b' ->
          value instanceof Boolean flag
              ? (flag ? "1" : "0")
              : CelValues.number(value).toBigInteger().toString(2);
      case 'o' -> CelValues.number(value).toBigInteger().toString(8);
      case 'x' -> CelValues.number(value).toBigInteger().toString(16);
      case 'X' ->
          CelValues.number(value).toBigInteger().toString(16).toUpperCase(java.util.Locale.ROOT);
      default ->
          throw new CelEvaluationException("unrecognized formatting clause \"" + verb + "\"");
    };
  }
}
