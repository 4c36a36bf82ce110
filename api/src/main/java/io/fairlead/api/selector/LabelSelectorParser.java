package io.fairlead.api.selector;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.selector.LabelRequirement.Operator;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads the text form of a [LabelSelector]: first into tokens, then by recursive descent with one
/// token of look-ahead. `in` and `notin` are keywords only where an operator may stand, so a label
/// may be called `in`.
final class LabelSelectorParser {
  private static final String SPECIAL = "=!(),<>";

  private enum Kind {
    WORD,
    COMMA,
    OPEN,
    CLOSE,
    NOT,
    OPERATOR,
    END
  }

  private record Token(Kind kind, String text) {}

  private final List<Token> tokens;
  private int position;

  LabelSelectorParser(String text) {
    tokens = tokens(text);
  }

  List<LabelRequirement> parse() {
    List<LabelRequirement> found = new ArrayList<>();
    while (true) {
      Token next = peek();
      switch (next.kind()) {
        case END -> {
          return found;
        }
        case WORD, NOT -> found.add(requirement());
        case COMMA, OPEN, CLOSE, OPERATOR ->
            throw ApiException.badRequest(
                expected(next, "expected: !, identifier, or 'end of string'"));
      }
      Token after = take();
      if (after.kind() == Kind.END) {
        return found;
      }
      if (after.kind() != Kind.COMMA) {
        throw ApiException.badRequest(expected(after, "expected: ',' or 'end of string'"));
      }
      if (peek().kind() != Kind.WORD && peek().kind() != Kind.NOT) {
        throw ApiException.badRequest(expected(peek(), "expected: identifier after ','"));
      }
    }
  }

  private LabelRequirement requirement() {
    boolean absent = peek().kind() == Kind.NOT;
    if (absent) {
      take();
    }
    Token key = take();
    if (key.kind() != Kind.WORD) {
      throw unparsable(expected(key, "expected: identifier"));
    }
    checkKey(key.text());
    if (absent) {
      return new LabelRequirement(key.text(), Operator.DOES_NOT_EXIST, new TreeSet<>());
    }
    if (peek().kind() == Kind.END || peek().kind() == Kind.COMMA) {
      return new LabelRequirement(key.text(), Operator.EXISTS, new TreeSet<>());
    }
    Operator operator = operator();
    TreeSet<String> values =
        operator == Operator.IN || operator == Operator.NOT_IN ? listed() : exact();
    LabelRequirement requirement = new LabelRequirement(key.text(), operator, values);
    checkValues(requirement);
    return requirement;
  }

  private Operator operator() {
    Token token = take();
    if (token.kind() == Kind.OPERATOR || token.kind() == Kind.WORD) {
      switch (token.text()) {
        case "=":
          return Operator.EQUALS;
        case "==":
          return Operator.DOUBLE_EQUALS;
        case "!=":
          return Operator.NOT_EQUALS;
        case ">":
          return Operator.GREATER;
        case "<":
          return Operator.LESS;
        case "in":
          return Operator.IN;
        case "notin":
          return Operator.NOT_IN;
        default:
          break;
      }
    }
    throw unparsable(expected(token, "expected: in, notin, =, ==, !=, gt, lt"));
  }

  private TreeSet<String> exact() {
    TreeSet<String> values = new TreeSet<>();
    if (peek().kind() == Kind.END || peek().kind() == Kind.COMMA) {
      values.add("");
      return values;
    }
    Token value = take();
    if (value.kind() != Kind.WORD) {
      throw unparsable(expected(value, "expected: identifier"));
    }
    values.add(value.text());
    return values;
  }

  /// `(a,b)`; an empty place between commas is the empty value.
  private TreeSet<String> listed() {
    Token open = take();
    if (open.kind() != Kind.OPEN) {
      throw unparsable("found '" + open.text() + "' expected: '('");
    }
    TreeSet<String> values = new TreeSet<>();
    if (peek().kind() == Kind.CLOSE) {
      take();
      return values;
    }
    if (peek().kind() != Kind.WORD && peek().kind() != Kind.COMMA) {
      throw unparsable(expected(peek(), "expected: ',', ')' or identifier"));
    }
    boolean valueWanted = true;
    while (true) {
      Token token = take();
      switch (token.kind()) {
        case WORD -> {
          if (!valueWanted) {
            throw unparsable(expected(token, "expected: ',' or ')'"));
          }
          values.add(token.text());
          valueWanted = false;
        }
        case COMMA -> {
          if (valueWanted) {
            values.add("");
          }
          valueWanted = true;
        }
        case CLOSE -> {
          if (valueWanted) {
            values.add("");
          }
          return values;
        }
        case OPEN, NOT, OPERATOR, END ->
            throw unparsable(
                expected(
                    token, valueWanted ? "expected: ',', or identifier" : "expected: ',' or ')'"));
      }
    }
  }

  private static void checkKey(String key) {
    List<String> problems = NameValidation.qualifiedName(key);
    if (!problems.isEmpty()) {
      throw unparsable(FieldError.invalid("<nil>", key, String.join("; ", problems)).message());
    }
  }

  private static void checkValues(LabelRequirement requirement) {
    List<FieldError> errors = new ArrayList<>();
    boolean numeric =
        requirement.operator() == Operator.GREATER || requirement.operator() == Operator.LESS;
    if (requirement.values().isEmpty()) {
      errors.add(
          FieldError.invalid(
              "values", Json.array(), "for 'in', 'notin' operators, values set can't be empty"));
    }
    if (numeric && LabelRequirement.wholeNumber(requirement.values().first()) == null) {
      errors.add(
          FieldError.invalid(
              "values[0]",
              requirement.values().first(),
              "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
    int index = 0;
    for (String value : requirement.values()) {
      List<String> problems = NameValidation.labelValue(value);
      if (!problems.isEmpty()) {
        String path = "values[" + index + "][" + requirement.key() + "]";
        errors.add(FieldError.invalid(path, value, String.join("; ", problems)));
      }
      index++;
    }
    if (!errors.isEmpty()) {
      String all = errors.stream().map(FieldError::message).collect(Collectors.joining(", "));
      throw unparsable(errors.size() == 1 ? all : "[" + all + "]");
    }
  }

  private static ApiException unparsable(String why) {
    return ApiException.badRequest("unable to parse requirement: " + why);
  }

  private static String expected(Token found, String what) {
    return "found '" + found.text() + "', " + what;
  }

  private Token peek() {
    return tokens.get(position);
  }

  // The last token is END and is never passed.
  private Token take() {
    Token token = tokens.get(position);
    if (token.kind() != Kind.END) {
      position++;
    }
    return token;
  }

  private static List<Token> tokens(String text) {
    List<Token> tokens = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (isSpace(c)) {
        at++;
        continue;
      }
      Token sign = sign(text, at);
      if (sign != null) {
        tokens.add(sign);
        at += sign.text().length();
        continue;
      }
      int end = at;
      while (end < text.length()
          && !isSpace(text.charAt(end))
          && SPECIAL.indexOf(text.charAt(end)) < 0) {
        end++;
      }
      tokens.add(new Token(Kind.WORD, text.substring(at, end)));
      at = end;
    }
    tokens.add(new Token(Kind.END, ""));
    return tokens;
  }

  private static @Nullable Token sign(String text, int at) {
    boolean equalsFollows = at + 1 < text.length() && text.charAt(at + 1) == '=';
    return switch (text.charAt(at)) {
      case ',' -> new Token(Kind.COMMA, ",");
      case '(' -> new Token(Kind.OPEN, "(");
      case ')' -> new Token(Kind.CLOSE, ")");
      case '>' -> new Token(Kind.OPERATOR, ">");
      case '<' -> new Token(Kind.OPERATOR, "<");
      case '=' -> new Token(Kind.OPERATOR, equalsFollows ? "==" : "=");
      case '!' -> equalsFollows ? new Token(Kind.OPERATOR, "!=") : new Token(Kind.NOT, "!");
      default -> null;
    };
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }
}
