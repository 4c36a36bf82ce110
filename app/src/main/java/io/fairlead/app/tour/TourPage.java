package io.fairlead.app.tour;

import io.fairlead.app.text.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The steps of a page in Markdown whose blocks of the kind `console` hold commands and what they
/// print. What comments before a block say counts as in the tests that type these pages: a block
/// that is `not run`, or is about a mode that many kernels lack, is left out.
public final class TourPage {
  private static final Pattern COMMENT = Pattern.compile("\\s*<!--\\s*(.*?)\\s*-->\\s*");
  private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)]\\([^)]*\\)");

  /// Headings and list items.
  private static final Pattern OF_ITS_OWN = Pattern.compile("#|[-*>] |\\d+\\. ");

  /// The line below the heads of a table.
  private static final Pattern RULER = Pattern.compile("\\|[-|: ]+");

  private static final String FENCE = "```";
  private static final String RARE = "in mode ipvs";

  private final List<TourStep> steps = new ArrayList<>();
  private final List<String> text = new ArrayList<>();
  private final List<String> last = new ArrayList<>();
  private String marks = "";

  private TourPage() {}

  /// Cuts a page into steps.
  public static TourPage parse(List<String> lines) {
    TourPage page = new TourPage();
    for (int at = 0; at < lines.size(); at++) {
      at = page.take(lines, at);
    }
    page.last.addAll(page.text);
    return page;
  }

  public List<TourStep> steps() {
    return List.copyOf(steps);
  }

  /// What stands behind the last command.
  public List<String> last() {
    return List.copyOf(last);
  }

  /// Takes what begins at a line.
  ///
  /// @return its last line
  private int take(List<String> lines, int at) {
    String line = lines.get(at);
    Matcher comment = COMMENT.matcher(line);
    if (comment.matches()) {
      marks += " " + comment.group(1);
      return at;
    }
    if (!line.strip().startsWith(FENCE)) {
      add(LINK.matcher(line).replaceAll("$1"));
      return at;
    }
    boolean typed = line.strip().equals(FENCE + "console");
    List<String> block = new ArrayList<>();
    int end = at + 1;
    while (end < lines.size() && !lines.get(end).strip().equals(FENCE)) {
      block.add(lines.get(end++));
    }
    if (!typed) {
      text.addAll(block);
    } else if (!marks.contains("not run") && !marks.contains(RARE)) {
      steps.add(new TourStep(steps.size() + 1, text, commands(block), marks.contains("fails")));
      text.clear();
    }
    marks = "";
    return end;
  }

  /// Adds a line, to the paragraph or list item before it where it goes on: how wide the page is
  /// says nothing about how wide a terminal is.
  private void add(String written) {
    if (RULER.matcher(written).matches()) {
      return;
    }
    String line =
        written.startsWith("|")
            ? "- " + String.join(": ", written.replaceAll("^\\| *| *\\|\\s*$", "").split(" *\\| *"))
            : written;
    String before = text.isEmpty() ? "" : text.getLast();
    if (before.isBlank()
        || before.startsWith("#")
        || line.isBlank()
        || OF_ITS_OWN.matcher(line).lookingAt()) {
      text.add(line);
      return;
    }
    boolean wide = Columns.width(before.substring(before.length() - 1)) > 1;
    text.set(text.size() - 1, before + (wide ? "" : " ") + line.strip());
  }

  private static List<String> commands(List<String> block) {
    List<String> commands = new ArrayList<>();
    for (int i = 0; i < block.size(); i++) {
      if (block.get(i).startsWith("$ ")) {
        StringBuilder command = new StringBuilder(block.get(i).substring(2));
        while (i + 1 < block.size() && block.get(i + 1).startsWith(">")) {
          command.append('\n').append(block.get(++i).replaceFirst("^> ?", ""));
        }
        commands.add(command.toString());
      }
    }
    return commands;
  }
}
