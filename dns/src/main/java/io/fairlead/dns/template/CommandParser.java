package io.fairlead.dns.template;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the inside of an action: commands between bars, words between blanks.
final class CommandParser {
  private static final Pattern KEPT = Pattern.compile("\\s*\\$(\\w+)\\s*(:?=)");

  private final String text;
  private int at;
  private int depth;

  CommandParser(String text) {
    this.text = text;
  }

  /// A pipeline, whose result may go into a variable: `$x := .Name`, `$x = .Zone`.
  TemplateNode.Pipeline pipeline() throws TemplateException {
    Matcher kept = KEPT.matcher(text);
    boolean keeps = kept.lookingAt();
    at = keeps ? kept.end() : 0;
    TemplateNode.Pipeline pipeline = commands();
    if (at < text.length()) {
      throw new TemplateException("unexpected '" + text.substring(at) + "'");
    }
    return keeps
        ? new TemplateNode.Pipeline(pipeline.commands(), kept.group(1), kept.group(2).equals(":="))
        : pipeline;
  }

  private TemplateNode.Pipeline commands() throws TemplateException {
    List<TemplateNode.Command> commands = new ArrayList<>();
    List<TemplateNode.Operand> operands = new ArrayList<>();
    while (true) {
      skipBlanks();
      boolean end = at >= text.length() || text.charAt(at) == ')';
      if (end || text.charAt(at) == '|') {
        if (operands.isEmpty()) {
          throw new TemplateException("an empty command in '" + text + "'");
        }
        commands.add(new TemplateNode.Command(List.copyOf(operands)));
        operands.clear();
        if (end) {
          return new TemplateNode.Pipeline(commands);
        }
        at++;
      } else {
        operands.add(operand());
      }
    }
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private TemplateNode.Operand operand() throws TemplateException {
    char c = text.charAt(at);
    if (c == '(') {
      return nested();
    }
    if (c == '"' || c == '`') {
      return quoted(c);
    }
    int start = at;
    while (at < text.length() && " \t\n\r|()".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String word = text.substring(start, at);
    if (word.startsWith(".")) {
      return new TemplateNode.Operand.Field(
          word.equals(".") ? List.of() : List.of(word.substring(1).split("\\.", -1)));
    }
    if (word.startsWith("$")) {
      String[] parts = word.substring(1).split("\\.", -1);
      return new TemplateNode.Operand.Variable(parts[0], List.of(parts).subList(1, parts.length));
    }
    if (word.equals("true") || word.equals("false")) {
      return new TemplateNode.Operand.Literal(word.equals("true"));
    }
    if (word.matches("-?[0-9]{1,18}")) {
      return new TemplateNode.Operand.Literal(Long.parseLong(word));
    }
    if (!TemplateFunctions.isKnown(word)) {
      throw new TemplateException("function \"" + word + "\" not defined");
    }
    return new TemplateNode.Operand.Function(word);
  }

  private TemplateNode.Operand nested() throws TemplateException {
    if (++depth > 16) {
      throw new TemplateException("nested too deep");
    }
    at++;
    TemplateNode.Pipeline inner = commands();
    if (at >= text.length()) {
      throw new TemplateException("( is never closed in '" + text + "'");
    }
    at++;
    depth--;
    return new TemplateNode.Operand.Nested(inner);
  }

  private TemplateNode.Operand quoted(char quote) throws TemplateException {
    StringBuilder value = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == quote) {
        at++;
        return new TemplateNode.Operand.Literal(value.toString());
      }
      if (c == '\\' && quote == '"' && at + 1 < text.length()) {
        c = text.charAt(++at);
        c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
      }
      value.append(c);
    }
    throw new TemplateException("a quote is never closed in '" + text + "'");
  }
}
