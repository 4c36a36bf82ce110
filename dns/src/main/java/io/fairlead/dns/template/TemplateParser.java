package io.fairlead.dns.template;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads templates: text with actions in double braces. `{{-` and `-}}` trim the blanks beside
/// them.
final class TemplateParser {
  private static final int MOST_DEPTH = 32;
  private static final Pattern RANGE_VARIABLES =
      Pattern.compile("\\s*\\$(\\w+)\\s*,\\s*\\$(\\w+)\\s*:=");

  private final List<Object> pieces = new ArrayList<>();
  private int at;

  /// The inside of `{{ }}`.
  private record Action(String text) {}

  private TemplateParser() {}

  static List<TemplateNode> parse(String text) throws TemplateException {
    TemplateParser parser = new TemplateParser();
    parser.split(text);
    List<TemplateNode> nodes = parser.nodes(0);
    if (parser.at < parser.pieces.size()) {
      throw new TemplateException("unexpected {{" + parser.pieces.get(parser.at) + "}}");
    }
    return nodes;
  }

  private void split(String text) throws TemplateException {
    int from = 0;
    boolean trim = false;
    while (true) {
      int open = text.indexOf("{{", from);
      String before = open < 0 ? text.substring(from) : text.substring(from, open);
      before = trim ? before.stripLeading() : before;
      if (open < 0) {
        pieces.add(before);
        return;
      }
      int close = text.indexOf("}}", open);
      if (close < 0) {
        throw new TemplateException("{{ is never closed");
      }
      String action = text.substring(open + 2, close);
      if (action.startsWith("- ")) {
        action = action.substring(1);
        before = before.stripTrailing();
      }
      trim = action.endsWith(" -");
      pieces.add(before);
      action = (trim ? action.substring(0, action.length() - 1) : action).strip();
      if (!action.startsWith("/*")) {
        pieces.add(new Action(action));
      }
      from = close + 2;
    }
  }

  /// Nodes up to `else`, `end` or the end.
  private List<TemplateNode> nodes(int depth) throws TemplateException {
    if (depth > MOST_DEPTH) {
      throw new TemplateException("nested too deep");
    }
    List<TemplateNode> nodes = new ArrayList<>();
    while (at < pieces.size()) {
      Object piece = pieces.get(at);
      if (!(piece instanceof Action(String action))) {
        nodes.add(new TemplateNode.Text((String) piece));
        at++;
        continue;
      }
      if (action.equals("end") || action.equals("else") || action.startsWith("else ")) {
        return nodes;
      }
      at++;
      if (action.startsWith("if ")) {
        nodes.add(condition(action.substring(3), depth));
      } else if (action.startsWith("range ")) {
        nodes.add(range(action.substring("range ".length()), depth));
      } else {
        nodes.add(new TemplateNode.Print(new CommandParser(action).pipeline()));
      }
    }
    return nodes;
  }

  /// `range .Match`, `range $each := .Match`, `range $index, $each := .Match`.
  private TemplateNode range(String text, int depth) throws TemplateException {
    Matcher named = RANGE_VARIABLES.matcher(text);
    boolean both = named.lookingAt();
    String rest = both ? text.substring(named.end()) : text;
    TemplateNode.Pipeline over = new CommandParser(rest).pipeline();
    String index = both ? named.group(1) : "";
    String element = both ? named.group(2) : over.declares() ? over.variable() : "";
    List<TemplateNode> body = nodes(depth + 1);
    TemplateNode.Pipeline plain = new TemplateNode.Pipeline(over.commands());
    return new TemplateNode.Range(plain, index, element, body, otherwise(depth));
  }

  private TemplateNode condition(String text, int depth) throws TemplateException {
    TemplateNode.Pipeline condition = new CommandParser(text).pipeline();
    List<TemplateNode> then = nodes(depth + 1);
    return new TemplateNode.If(condition, then, otherwise(depth));
  }

  /// What follows `else`, up to and with `end`.
  private List<TemplateNode> otherwise(int depth) throws TemplateException {
    if (at >= pieces.size() || !(pieces.get(at) instanceof Action(String action))) {
      throw new TemplateException("{{end}} is missing");
    }
    at++;
    if (action.equals("end")) {
      return List.of();
    }
    if (action.startsWith("else if ")) {
      return List.of(condition(action.substring("else if ".length()), depth + 1));
    }
    if (!action.equals("else")) {
      throw new TemplateException("unexpected {{" + action + "}}");
    }
    List<TemplateNode> nodes = nodes(depth + 1);
    boolean ended =
        at < pieces.size() && pieces.get(at) instanceof Action(String end) && end.equals("end");
    if (!ended) {
      throw new TemplateException("{{end}} is missing");
    }
    at++;
    return nodes;
  }
}
