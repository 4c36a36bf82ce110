package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceRecord;
import io.fairlead.app.instance.ProcessFacts;
import io.fairlead.app.instance.ReadyzCheck;
import io.fairlead.app.text.Columns;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;

/// `fairlead status`: one verdict line, then where each fact is from.
public final class StatusCommand implements Command {

  private enum State {
    STOPPED,
    DIED,
    STARTING,
    SICK,
    RUNNING
  }

  /// Everything known about an instance at one moment.
  private record Seen(
      State state,
      Optional<InstanceRecord> record,
      ReadyzCheck.Result answer,
      long residentBytes,
      List<NodeComponents.Component> parts) {
    Seen(
        State state,
        Optional<InstanceRecord> record,
        ReadyzCheck.Result answer,
        long residentBytes) {
      this(state, record, answer, residentBytes, List.of());
    }
  }

  @Override
  public int run(Arguments arguments, CommandContext context) {
    DataDirectory directory = DataDirectories.open(arguments, context);
    Optional<InstanceRecord> lab =
        InstanceRecord.read(directory)
            .filter(record -> record.process().isPresent())
            .filter(record -> Lab.isElsewhere(directory, record));
    if (lab.isPresent()) {
      return inside(lab.get(), directory, arguments, context);
    }
    Seen seen = look(directory, context);
    if (arguments.find("output").isPresent()) {
      context.terminal().out().print(document(seen, directory).render(arguments.text("output")));
    } else {
      print(seen, directory, arguments, context);
      if (seen.state() == State.STOPPED) {
        DataDirectories.hintAtRoot(arguments, context);
      }
    }
    return seen.state() == State.RUNNING ? ExitCode.FINE : ExitCode.FAULT_FOUND;
  }

  /// Asks again from inside the lab, where its parts can be reached.
  private static int inside(
      InstanceRecord instance,
      DataDirectory directory,
      Arguments arguments,
      CommandContext context) {
    List<String> words = new ArrayList<>(Lab.inside(instance, context));
    words.addAll(Launch.again("status"));
    words.add("--data-dir=" + directory.root());
    arguments.find("output").ifPresent(format -> words.add("--output=" + format));
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      process.getOutputStream().close();
      context
          .terminal()
          .out()
          .print(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
      return process.waitFor();
    } catch (IOException e) {
      throw new FairleadException(ErrorCode.FL224, e, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.INTERRUPTED;
    }
  }

  private static Seen look(DataDirectory directory, CommandContext context) {
    Optional<InstanceRecord> record = InstanceRecord.read(directory);
    ReadyzCheck.Result nobody = new ReadyzCheck.Result(false, false, "");
    if (record.isEmpty() || record.get().phase() == InstanceRecord.Phase.STOPPED) {
      return new Seen(State.STOPPED, Optional.empty(), nobody, 0);
    }
    InstanceRecord instance = record.get();
    if (instance.process().isEmpty()) {
      return new Seen(State.DIED, record, nobody, 0);
    }
    long resident = ProcessFacts.residentBytes(instance.pid()).orElse(0);
    if (instance.phase() == InstanceRecord.Phase.STARTING) {
      return new Seen(State.STARTING, record, nobody, resident);
    }
    ReadyzCheck.Result answer =
        ReadyzCheck.ask(instance.address(), instance.port(), directory.pki().resolve("ca.crt"));
    if (!answer.ready()) {
      return new Seen(State.SICK, record, answer, resident);
    }
    List<NodeComponents.Component> parts = new NodeComponents(directory, instance, context).ask();
    return parts.stream()
        .filter(part -> !part.well())
        .findFirst()
        .map(
            part ->
                new Seen(
                    State.SICK,
                    record,
                    new ReadyzCheck.Result(true, true, part.name() + " " + part.detail()),
                    resident,
                    parts))
        .orElseGet(() -> new Seen(State.RUNNING, record, answer, resident, parts));
  }

  private static void print(
      Seen seen, DataDirectory directory, Arguments arguments, CommandContext context) {
    String up = context.program() + " up" + DataDirectories.repeated(arguments);
    context.terminal().out().println(verdict(seen, directory, up, context));
    if (seen.record().isEmpty() || seen.state() == State.DIED) {
      return;
    }
    InstanceRecord instance = seen.record().get();
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            context.terminal().mark(Mark.GOOD) + " process",
            "pid " + instance.pid() + ", " + (seen.residentBytes() >> 20) + " MiB",
            "kernel"));
    rows.add(api(seen, instance, context));
    for (NodeComponents.Component part : seen.parts()) {
      rows.add(
          List.of(
              context.terminal().mark(part.well() ? Mark.GOOD : Mark.BAD) + " " + part.name(),
              part.detail(),
              part.source()));
    }
    rows.add(
        List.of(
            context.terminal().mark(Mark.GOOD) + " data", directory.root().toString(), "kernel"));
    context.terminal().out().print(Columns.table("", rows));
  }

  private static List<String> api(Seen seen, InstanceRecord instance, CommandContext context) {
    boolean starting = seen.state() == State.STARTING;
    boolean ready = seen.answer().ready();
    Mark mark = starting ? Mark.NOTHING : ready ? Mark.GOOD : Mark.BAD;
    String text =
        starting
            ? ""
            : ", "
                + (ready
                    ? context.text("status.ready")
                    : context.text("status.notready", seen.answer().detail()));
    return List.of(context.terminal().mark(mark) + " api", instance.url() + text, "probe");
  }

  private static String verdict(
      Seen seen, DataDirectory directory, String up, CommandContext context) {
    return switch (seen.state()) {
      case STOPPED -> context.text("status.stopped", directory.root(), up);
      case DIED ->
          context.text(
              "status.died",
              directory.root(),
              seen.record().map(InstanceRecord::pid).orElse(0L),
              up);
      case STARTING -> context.text("status.starting");
      case SICK -> context.text("status.sick", seen.answer().detail());
      case RUNNING -> {
        InstanceRecord instance = seen.record().orElseThrow();
        Duration age = Duration.between(instance.started(), context.clock().instant());
        yield context.text(
            "status.running",
            shown(age),
            instance.url(),
            instance.context(),
            instance.kubeconfig());
      }
    };
  }

  private static OutputDocument document(Seen seen, DataDirectory directory) {
    OutputDocument document =
        new OutputDocument("Status")
            .put("state", seen.state().name().toLowerCase(java.util.Locale.ROOT))
            .put("ready", seen.state() == State.RUNNING)
            .put("dataDir", directory.root().toString());
    seen.record()
        .ifPresent(
            instance ->
                document
                    .put("pid", instance.pid())
                    .put("started", instance.started().toString())
                    .put("residentBytes", seen.residentBytes())
                    .put(
                        "api",
                        Json.object()
                            .put("url", instance.url())
                            .put("ready", seen.answer().ready())
                            .put("detail", seen.answer().detail()))
                    .put("parts", parts(seen))
                    .put("kubeconfig", instance.kubeconfig())
                    .put("context", instance.context()));
    return document;
  }

  private static ArrayNode parts(Seen seen) {
    ArrayNode parts = Json.array();
    for (NodeComponents.Component part : seen.parts()) {
      parts
          .addObject()
          .put("name", part.name())
          .put("ready", part.well())
          .put("detail", part.detail());
    }
    return parts;
  }

  /// kubectl's way to write an age: `42s`, `12m`, `3h12m`, `5d3h`.
  static String shown(Duration age) {
    long seconds = Math.max(0, age.toSeconds());
    if (seconds < 120) {
      return seconds + "s";
    }
    if (seconds < 3600 * 3) {
      return seconds / 60 + "m";
    }
    return seconds < 86_400 * 2
        ? seconds / 3600 + "h" + seconds % 3600 / 60 + "m"
        : seconds / 86_400 + "d" + seconds % 86_400 / 3600 + "h";
  }
}
