package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.instance.ProcessFacts;
import io.fairlead.app.text.Columns;
import io.fairlead.app.text.Language;
import io.fairlead.app.tour.TourPage;
import io.fairlead.app.tour.TourProgress;
import io.fairlead.app.tour.TourStep;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `fairlead tour`: the walkthrough as a session. Each step is shown, and run for real when the
/// user presses Enter. The page is the only source: what the tour runs is what the tests of the
/// page type.
///
/// Owned by one thread.
public final class TourCommand implements Command {
  private static final int WIDEST = 100;
  private static final int NARROWEST = 40;

  private final InputStream keyboard;

  public TourCommand() {
    this(System.in);
  }

  /// @param keyboard where answers come from
  TourCommand(InputStream keyboard) {
    this.keyboard = keyboard;
  }

  @Override
  public int run(Arguments arguments, CommandContext context) {
    Path home = Path.of(context.properties().getOrDefault("fairlead.home", ""));
    TourPage page = TourPage.parse(read(home, context));
    List<TourStep> steps = page.steps();
    TourProgress progress = TourProgress.of(context.environment());
    if (arguments.on("restart")) {
      progress.forget();
    }
    PrintStream out = context.terminal().out();
    int next = progress.next(steps.size());
    out.println(
        next == 1
            ? context.text("tour.begin", steps.size())
            : context.text("tour.again", next, steps.size(), context.program()));
    BufferedReader answers =
        new BufferedReader(new InputStreamReader(keyboard, StandardCharsets.UTF_8));
    boolean ask = !arguments.on("yes");
    int width = width(context);
    if (!progress.save(next)) {
      context.terminal().err().println(context.text("tour.unsaved", progress.file()));
    }
    for (TourStep step : steps.subList(next - 1, steps.size())) {
      progress.save(step.number());
      if (!play(step, steps.size(), home, width, ask ? answers : null, context)) {
        String sudo = ProcessFacts.effectiveUser() == 0 ? "" : "sudo ";
        out.println(
            context.text(
                "tour.stopped", step.number(), context.program(), sudo + context.program()));
        return ask ? ExitCode.FINE : ExitCode.COULD_NOT;
      }
    }
    progress.forget();
    print(page.last(), width, out);
    out.println(context.text("tour.end"));
    return ExitCode.FINE;
  }

  /// How many columns the user's terminal has, as far as lines are pleasant to read.
  private static int width(CommandContext context) {
    String columns = context.environment().getOrDefault("COLUMNS", "");
    if (columns.isEmpty()
        && context.properties().getOrDefault("fairlead.tty", "").contains("out")) {
      columns = askTerminal();
    }
    int known = columns.matches("\\d{1,4}") ? Integer.parseInt(columns) : WIDEST;
    return Math.clamp(known, NARROWEST, WIDEST);
  }

  /// The columns of the terminal of this process; empty where that cannot be found out.
  private static String askTerminal() {
    try {
      Process process =
          new ProcessBuilder("stty", "size")
              .redirectInput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String size = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return size.strip().replaceFirst("^\\d+ ", "");
    } catch (IOException _) {
      return "";
    }
  }

  private static List<String> read(Path home, CommandContext context) {
    Path page =
        home.resolve("docs")
            .resolve(
                Language.of(context.environment()) == Language.ZH_CN
                    ? "zh-CN/walkthrough.md"
                    : "walkthrough.md");
    try {
      return Files.readAllLines(page);
    } catch (IOException e) {
      throw new FairleadException(ErrorCode.FL304, e, "tour", page.toString());
    }
  }

  /// Shows a step and runs it, again if the user wants.
  ///
  /// @param width of the lines it is shown in
  /// @param answers null to ask nothing
  /// @return false to stop
  private static boolean play(
      TourStep step,
      int count,
      Path home,
      int width,
      @Nullable BufferedReader answers,
      CommandContext context) {
    PrintStream out = context.terminal().out();
    print(step.text(), width, out);
    out.println(context.text("tour.step", step.number(), count));
    for (String command : step.commands()) {
      out.println("  $ " + command.replace("\n", "\n  > "));
    }
    String answer = answers == null ? "" : ask(answers, "tour.ask", context);
    if (answer.startsWith("q") || answer.startsWith("s")) {
      return answer.startsWith("s");
    }
    for (int exit = execute(step, home, context);
        (exit == 0) == step.fails();
        exit = execute(step, home, context)) {
      out.println(context.text("tour.failed", exit));
      String then = answers == null ? "q" : ask(answers, "tour.ask.failed", context);
      if (!then.startsWith("r")) {
        return !then.startsWith("q");
      }
    }
    return true;
  }

  private static String ask(BufferedReader answers, String question, CommandContext context) {
    context.terminal().out().print(context.text(question));
    context.terminal().out().flush();
    try {
      String line = answers.readLine();
      return line == null ? "q" : line.strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Runs the commands of a step in one shell, each after it was shown, until one fails.
  private static int execute(TourStep step, Path home, CommandContext context) {
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", script(step, home))
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    builder.environment().clear();
    builder.environment().putAll(context.environment());
    try {
      Process process = builder.start();
      process.getInputStream().transferTo(context.terminal().out());
      return process.waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.INTERRUPTED;
    }
  }

  private static String script(TourStep step, Path home) {
    StringBuilder script = new StringBuilder();
    if (ProcessFacts.effectiveUser() == 0) {
      script.append("sudo() { \"$@\"; }\n");
    }
    boolean built = Files.isExecutable(home.resolve("fairlead"));
    for (String command : step.commands()) {
      String run = built ? command : command.replace("./fairlead", "bin/fairlead");
      script.append("printf '%s\\n' ").append(quoted("$ " + command)).append('\n');
      script.append("{ ").append(run).append("\n} || exit $?\n");
    }
    return script.toString();
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  /// Paragraphs, broken into lines that fit a terminal.
  private static void print(List<String> lines, int width, PrintStream out) {
    for (String line : lines) {
      String rest = line;
      while (Columns.width(rest) > width) {
        int cut = Columns.fitting(rest, width);
        out.println(rest.substring(0, cut).stripTrailing());
        rest = rest.substring(cut).stripLeading();
      }
      out.println(rest);
    }
  }
}
