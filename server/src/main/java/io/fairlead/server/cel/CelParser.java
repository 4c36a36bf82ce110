package io.fairlead.server.cel;

import io.fairlead.server.cel.CelLexer.Kind;
import io.fairlead.server.cel.CelLexer.Token;
import io.fairlead.server.cel.CelNode.FoldKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads an expression: one method for each level of the grammar, the weakest operator first.
final class CelParser {
  /// Deep enough for every sensible expression, shallow enough that no stack is at risk.
  private static final int DEEPEST = 200;

  private static final int LONGEST = 100_000;
  private static final Map<String, String> RELATIONS =
      Map.of("<", "_<_", "<=", "_<=_", ">", "_>_", ">=", "_>=_", "==", "_==_", "!=", "_!=_");
  private static final Map<String, FoldKind> MACROS =
      Map.of(
          "all", FoldKind.ALL,
          "exists", FoldKind.EXISTS,
          "exists_one", FoldKind.EXISTS_ONE,
          "existsOne", FoldKind.EXISTS_ONE,
          "filter", FoldKind.FILTER,
          "map", FoldKind.MAP,
          "transformList", FoldKind.TRANSFORM_LIST,
          "transformMap", FoldKind.TRANSFORM_MAP,
          "optMap", FoldKind.OPT_MAP,
          "optFlatMap", FoldKind.OPT_FLAT_MAP);

  private final String text;
  private final List<Token> tokens;
  private int next;
  private int depth;

  private CelParser(String text) {
    this.text = text;
    this.tokens = CelLexer.tokens(text);
  }

  static CelNode parse(String text) {
    if (text.length() > LONGEST) {
      throw new CelCompileException(
          "ERROR: <input>:-1:0: expression code point size exceeds limit");
    }
    CelParser parser = new CelParser(text);
    CelNode node = parser.expression();
    if (parser.peek().kind() != Kind.END) {
      throw parser.unexpected();
    }
    return node;
  }

  private Token peek() {
    return tokens.get(next);
  }

  private Token take() {
    Token token = tokens.get(next);
    next = Math.min(next + 1, tokens.size() - 1);
    return token;
  }

  private boolean accept(String sign) {
    if (peek().is(sign)) {
      Token unused = take();
      return true;
    }
    return false;
  }

  private Token expect(String sign) {
    if (!peek().is(sign)) {
      throw unexpected();
    }
    return take();
  }

  private CelCompileException unexpected() {
    return fault(
        peek().at(),
        "Syntax error: "
            + (peek().kind() == Kind.END
                ? "mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true',"
                    + " 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
                : "unexpected '" + peek().text() + "'"));
  }

  private CelCompileException fault(int at, String why) {
    return CelCompileException.at(text, at, why);
  }

  private CelNode expression() {
    depth++;
    if (depth > DEEPEST) {
      throw fault(peek().at(), "expression recursion limit exceeded: " + DEEPEST);
    }
    CelNode condition = either();
    if (peek().is("?")) {
      int at = take().at();
      CelNode yes = either();
      Token unused = expect(":");
      condition = call(at, "_?_:_", condition, yes, expression());
    }
    depth--;
    return condition;
  }

  private CelNode either() {
    CelNode left = both();
    while (peek().is("||")) {
      int at = take().at();
      left = call(at, "_||_", left, both());
    }
    return left;
  }

  private CelNode both() {
    CelNode left = relation();
    while (peek().is("&&")) {
      int at = take().at();
      left = call(at, "_&&_", left, relation());
    }
    return left;
  }

  private CelNode relation() {
    CelNode left = sum();
    while (true) {
      Token token = peek();
      String function =
          token.kind() == Kind.SIGN
              ? RELATIONS.get(token.text())
              : token.kind() == Kind.IDENT && token.text().equals("in") ? "@in" : null;
      if (function == null) {
        return left;
      }
      Token unused = take();
      left = call(token.at(), function, left, sum());
    }
  }

  private CelNode sum() {
    CelNode left = product();
    while (peek().is("+") || peek().is("-")) {
      Token sign = take();
      left = call(sign.at(), "_" + sign.text() + "_", left, product());
    }
    return left;
  }

  private CelNode product() {
    CelNode left = unary();
    while (peek().is("*") || peek().is("/") || peek().is("%")) {
      Token sign = take();
      left = call(sign.at(), "_" + sign.text() + "_", left, unary());
    }
    return left;
  }

  private CelNode unary() {
    Token token = peek();
    if (!token.is("!") && !token.is("-")) {
      return member();
    }
    depth++;
    if (depth > DEEPEST) {
      throw fault(token.at(), "expression recursion limit exceeded: " + DEEPEST);
    }
    Token unused = take();
    CelNode operand = unary();
    depth--;
    if (token.is("-") && operand instanceof CelNode.Literal(int _, Object value)) {
      if (value instanceof Long number) {
        return new CelNode.Literal(token.at(), -number);
      }
      if (value instanceof Double number) {
        return new CelNode.Literal(token.at(), -number);
      }
    }
    return call(token.at(), token.is("!") ? "!_" : "-_", operand);
  }

  private CelNode member() {
    CelNode node = primary();
    while (true) {
      Token token = peek();
      if (token.is(".")) {
        Token unused = take();
        boolean optional = accept("?");
        Token name = take();
        if (name.kind() != Kind.IDENT) {
          next--;
          throw unexpected();
        }
        node =
            peek().is("(") && !optional
                ? method(node, name)
                : new CelNode.Select(token.at(), node, name.text(), false, optional);
      } else if (token.is("[")) {
        Token unused = take();
        boolean optional = accept("?");
        CelNode index = expression();
        unused = expect("]");
        node = call(token.at(), optional ? "_[?_]" : "_[_]", node, index);
      } else if (token.is("{") && !dotted(node).isEmpty()) {
        node = message(take().at(), dotted(node));
      } else {
        return node;
      }
    }
  }

  /// `a.b.c` as a text, or nothing when it is no such chain.
  static String dotted(CelNode node) {
    return switch (node) {
      case CelNode.Ident ident -> ident.name();
      case CelNode.Select select when !select.test() && !select.optional() -> {
        String before = dotted(select.operand());
        yield before.isEmpty() ? "" : before + "." + select.field();
      }
      default -> "";
    };
  }

  /// The members of an object, behind its type.
  private CelNode message(int at, String type) {
    List<CelNode.Member> members = new ArrayList<>();
    while (!accept("}")) {
      boolean optional = accept("?");
      Token name = peek();
      if (name.kind() != Kind.IDENT) {
        throw unexpected();
      }
      Token unused = take();
      int place = expect(":").at();
      members.add(new CelNode.Member(place, name.text(), expression(), optional));
      if (!accept(",") && !peek().is("}")) {
        throw unexpected();
      }
    }
    return new CelNode.Message(at, type, members);
  }

  private CelNode method(CelNode target, Token name) {
    int at = peek().at();
    List<CelNode> arguments = arguments();
    FoldKind kind = MACROS.get(name.text());
    CelNode macro = kind == null ? null : fold(at, kind, target, arguments);
    return macro == null ? new CelNode.Call(at, name.text(), target, arguments) : macro;
  }

  private @Nullable CelNode fold(int at, FoldKind kind, CelNode target, List<CelNode> arguments) {
    int count = arguments.size();
    boolean two = kind == FoldKind.TRANSFORM_LIST || kind == FoldKind.TRANSFORM_MAP;
    boolean logical =
        kind == FoldKind.ALL || kind == FoldKind.EXISTS || kind == FoldKind.EXISTS_ONE;
    if (logical && count == 3) {
      two = true;
    }
    boolean filters = (kind == FoldKind.MAP && count == 3) || (two && !logical && count == 4);
    int wanted = (two ? 3 : 2) + (filters ? 1 : 0);
    if (count != wanted) {
      return null;
    }
    String first = variable(arguments.get(0));
    String second = two ? variable(arguments.get(1)) : "";
    CelNode filter = filters ? arguments.get(count - 2) : null;
    return new CelNode.Fold(at, kind, target, first, second, filter, arguments.get(count - 1));
  }

  private String variable(CelNode node) {
    if (node instanceof CelNode.Ident(int _, String name)) {
      return name;
    }
    throw fault(node.at(), "argument must be a simple name");
  }

  private List<CelNode> arguments() {
    Token unused = expect("(");
    List<CelNode> arguments = new ArrayList<>();
    if (!accept(")")) {
      do {
        arguments.add(expression());
      } while (accept(","));
      unused = expect(")");
    }
    return arguments;
  }

  private CelNode primary() {
    Token token = take();
    if (token.kind() == Kind.VALUE) {
      return new CelNode.Literal(token.at(), token.value());
    }
    if (token.is("(")) {
      CelNode inner = expression();
      Token unused = expect(")");
      return inner;
    }
    if (token.is("[")) {
      return items(token.at());
    }
    if (token.is("{")) {
      return entries(token.at());
    }
    if (token.is(".") && peek().kind() == Kind.IDENT) {
      token = take();
    }
    if (token.kind() != Kind.IDENT) {
      next = token.kind() == Kind.END ? next : next - 1;
      throw unexpected();
    }
    return name(token);
  }

  private CelNode name(Token token) {
    switch (token.text()) {
      case "true" -> {
        return new CelNode.Literal(token.at(), true);
      }
      case "false" -> {
        return new CelNode.Literal(token.at(), false);
      }
      case "null" -> {
        return new CelNode.Literal(token.at(), CelValues.NULL);
      }
      default -> {}
    }
    if (CelReservedWords.ALL.contains(token.text())) {
      throw fault(token.at(), "Syntax error: reserved identifier: " + token.text());
    }
    if (!peek().is("(")) {
      return new CelNode.Ident(token.at(), token.text());
    }
    int at = peek().at();
    List<CelNode> arguments = arguments();
    if (token.text().equals("has") && arguments.size() == 1) {
      if (arguments.getFirst() instanceof CelNode.Select select && !select.test()) {
        return new CelNode.Select(at, select.operand(), select.field(), true, false);
      }
      throw fault(at, "invalid argument to has() macro");
    }
    return new CelNode.Call(at, token.text(), null, arguments);
  }

  private CelNode items(int at) {
    List<CelNode> items = new ArrayList<>();
    List<Boolean> optional = new ArrayList<>();
    while (!accept("]")) {
      optional.add(accept("?"));
      items.add(expression());
      if (!accept(",") && !peek().is("]")) {
        throw unexpected();
      }
    }
    return new CelNode.Items(at, items, optional);
  }

  private CelNode entries(int at) {
    List<CelNode.Entry> entries = new ArrayList<>();
    while (!accept("}")) {
      boolean optional = accept("?");
      CelNode key = expression();
      Token unused = expect(":");
      entries.add(new CelNode.Entry(key, expression(), optional));
      if (!accept(",") && !peek().is("}")) {
        throw unexpected();
      }
    }
    return new CelNode.Entries(at, entries);
  }

  private static CelNode call(int at, String function, CelNode... arguments) {
    return new CelNode.Call(at, function, null, List.of(arguments));
  }
}
