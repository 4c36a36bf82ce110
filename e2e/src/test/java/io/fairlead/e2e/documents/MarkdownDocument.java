package io.fairlead.e2e.documents;

import io.fairlead.e2e.documents.FencedBlock.Mark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A page in Markdown, cut into what a test needs of it.
///
/// @param name how messages call it
/// @param blocks all fenced blocks in order
/// @param varying words that stand for others of their form
record MarkdownDocument(String name, List<FencedBlock> blocks, Set<String> varying) {
  private static final Pattern COMMENT = Pattern.compile("\\s*<!--\\s*(.*?)\\s*-->\\s*");
  private static final Pattern FENCE = Pattern.compile("\\s*```(\\S*).*");
  private static final Pattern IN_MODE = Pattern.compile("in mode (\\w+)");
  private static final String TYPED = "console";

  /// The mode pages are written in.
  private static final String OWN = "iptables";

  private static final String RARE = "ipvs";

  MarkdownDocument {
    blocks = List.copyOf(blocks);
    varying = Set.copyOf(varying);
  }

  static MarkdownDocument read(Path root, String name) throws IOException {
    return parse(name, Files.readString(root.resolve(name)));
  }

  /// @throws IllegalArgumentException when the page breaks the rules of this package; names file
  ///   and line
  static MarkdownDocument parse(String name, String markdown) {
    return new Parser(name, markdown.lines().toList()).parse();
  }

  /// The blocks that are typed from the first to the last on an ordinary machine. What is about
  /// IPVS is not among them: many kernels lack it.
  List<FencedBlock> typed() {
    return console().filter(block -> !block.mode().equals(RARE)).toList();
  }

  /// The blocks that hold in one mode of the proxy, for a machine that is in it from its start:
  /// those about this mode and those about none.
  List<FencedBlock> typedIn(String mode) {
    return console()
        .filter(block -> block.mode().isEmpty() || block.mode().equals(mode))
        .filter(block -> !block.marks().contains(Mark.CHANGES_MODE))
        .filter(block -> !block.marks().contains(Mark.ONCE))
        .map(block -> block.marks().contains(Mark.NAMES_MODE) ? block.with(OWN, mode) : block)
        .toList();
  }

  private Stream<FencedBlock> console() {
    return blocks.stream()
        .filter(block -> block.info().equals(TYPED) && !block.marks().contains(Mark.NOT_RUN));
  }

  private static final class Parser {
    private final String name;
    private final List<String> lines;
    private final List<FencedBlock> blocks = new ArrayList<>();
    private final Set<String> varying = new HashSet<>();
    private Set<Mark> marks = EnumSet.noneOf(Mark.class);
    private String mode = "";
    private int at;

    Parser(String name, List<String> lines) {
      this.name = name;
      this.lines = lines;
    }

    MarkdownDocument parse() {
      for (; at < lines.size(); at++) {
        Matcher comment = COMMENT.matcher(lines.get(at));
        Matcher fence = FENCE.matcher(lines.get(at));
        if (comment.matches()) {
          comment(comment.group(1));
        } else if (fence.matches()) {
          block(fence.group(1));
          marks = EnumSet.noneOf(Mark.class);
          mode = "";
        } else if (!lines.get(at).isBlank() && !(marks.isEmpty() && mode.isEmpty())) {
          throw fault(at, "a comment about a block must stand right before the block");
        }
      }
      return new MarkdownDocument(name, blocks, varying);
    }

    private void comment(String text) {
      if (text.startsWith("varies:")) {
        varying.addAll(List.of(text.substring("varies:".length()).strip().split("\\s+")));
        return;
      }
      if (text.startsWith(Mark.NOT_RUN.words)) {
        if (!text.matches("not run: \\S.*")) {
          throw fault(at, "a block that is not run needs a reason: not run: REASON");
        }
        marks.add(Mark.NOT_RUN);
        return;
      }
      for (String word : text.split("\\s*,\\s*")) {
        Matcher inMode = IN_MODE.matcher(word);
        if (inMode.matches()) {
          mode = inMode.group(1);
          continue;
        }
        marks.add(mark(word).orElseThrow(() -> fault(at, "unknown comment: " + word)));
      }
    }

    private static Optional<Mark> mark(String words) {
      return List.of(Mark.values()).stream().filter(each -> each.words.equals(words)).findFirst();
    }

    private void block(String info) {
      int start = at;
      List<String> text = new ArrayList<>();
      for (at++; at < lines.size() && !lines.get(at).strip().equals("```"); at++) {
        text.add(lines.get(at));
      }
      if (at == lines.size()) {
        throw fault(start, "this block does not end");
      }
      boolean typed = info.equals(TYPED);
      if (!typed && text.stream().anyMatch(line -> line.startsWith("$ "))) {
        throw fault(start, "commands stand in a block of the kind console, so that they are typed");
      }
      List<ConsoleCommand> exchanges = typed ? exchanges(start, text) : List.of();
      blocks.add(new FencedBlock(start + 1, info, marks, mode, text, exchanges));
    }

    private List<ConsoleCommand> exchanges(int start, List<String> text) {
      List<ConsoleCommand> exchanges = new ArrayList<>();
      for (int i = 0; i < text.size(); ) {
        if (!text.get(i).startsWith("$ ")) {
          throw fault(start + 1 + i, "a block of the kind console begins with a command: $ …");
        }
        int line = start + 2 + i;
        StringBuilder command = new StringBuilder(text.get(i++).substring(2));
        while (i < text.size() && (text.get(i).startsWith("> ") || text.get(i).equals(">"))) {
          command.append('\n').append(text.get(i++).replaceFirst("^> ?", ""));
        }
        List<String> printed = new ArrayList<>();
        while (i < text.size() && !text.get(i).startsWith("$ ")) {
          printed.add(text.get(i++));
        }
        exchanges.add(new ConsoleCommand(line, command.toString(), printed));
      }
      return exchanges;
    }

    private IllegalArgumentException fault(int index, String what) {
      return new IllegalArgumentException(name + ":" + (index + 1) + ": " + what);
    }
  }
}
