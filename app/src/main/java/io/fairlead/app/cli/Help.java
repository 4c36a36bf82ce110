package io.fairlead.app.cli;

import io.fairlead.app.text.Columns;
import io.fairlead.app.text.MessageCatalog;
import java.util.ArrayList;
import java.util.List;

/// The help pages: all verbs, one verb, one error code.
public final class Help {
  private final MessageCatalog messages;
  private final String program;

  /// @param program how the user called it: `fairlead` or `kubectl fairlead`
  public Help(MessageCatalog messages, String program) {
    this.messages = messages;
    this.program = program;
  }

  public String overview() {
    List<List<String>> rows = new ArrayList<>();
    Grammar.VERBS.forEach(
        verb -> rows.add(List.of(verb.name(), messages.text("verb." + verb.name()))));
    return messages.text("help.overview", program)
        + "\n\n"
        + messages.text("help.usage")
        + "\n  "
        + program
        + " VERB [flags]\n\n"
        + messages.text("help.verbs")
        + "\n"
        + Columns.table("  ", rows)
        + "\n"
        + messages.text("help.more", program)
        + "\n";
  }

  public String verb(Verb verb) {
    StringBuilder page = new StringBuilder(messages.text("verb." + verb.name())).append("\n\n");
    page.append(messages.text("help.usage")).append("\n  ").append(program).append(' ');
    page.append(verb.name()).append(verb.operand().isEmpty() ? "" : " " + verb.operand());
    page.append(verb.flags().isEmpty() ? "\n" : " [flags]\n");
    if (messages.has("verb." + verb.name() + ".long")) {
      page.append('\n').append(messages.text("verb." + verb.name() + ".long")).append('\n');
    }
    if (!verb.flags().isEmpty()) {
      page.append('\n').append(messages.text("help.flags")).append('\n');
      page.append(flags(verb.name() + ".", verb.flags()));
    }
    page.append('\n').append(messages.text("help.common")).append('\n');
    page.append(flags("", Grammar.COMMON));
    return page.append('\n').append(messages.text("help.environment")).append('\n').toString();
  }

  public String code(ErrorCode code) {
    return code + "\n\n" + messages.text(code + ".help") + "\n";
  }

  /// @param prefix in front of the name of a flag that means something else for one verb
  private String flags(String prefix, List<Flag> flags) {
    List<List<String>> rows = new ArrayList<>();
    for (Flag flag : flags) {
      String own = "flag." + prefix + flag.name();
      String text = messages.text(messages.has(own) ? own : "flag." + flag.name());
      rows.add(
          List.of(
              flag.shown(),
              flag.defaultValue().isEmpty()
                  ? text
                  : text + messages.text("help.default", flag.defaultValue())));
    }
    return Columns.table("  ", rows);
  }
}
