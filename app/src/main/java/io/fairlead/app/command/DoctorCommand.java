package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.app.text.Columns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead doctor`: would Fairlead work here, and what is in its way.
public final class DoctorCommand implements Command {
  private static final int ROW_WIDTH = 10;

  @Override
  public int run(Arguments arguments, CommandContext context) {
    List<DoctorFinding> done = arguments.on("fix") ? fix(arguments, context) : List.of();
    List<DoctorFinding> findings = new ArrayList<>(look(arguments, context));
    findings.addAll(done);
    long faults = count(findings, Mark.BAD);
    long warnings = count(findings, Mark.WARNING);
    if (arguments.find("output").isPresent()) {
      ObjectNode document = document(findings, verdict(faults, warnings, context));
      context
          .terminal()
          .out()
          .print(
              arguments.text("output").equals("yaml")
                  ? Yaml.write(document)
                  : document.toPrettyString() + "\n");
    } else {
      if (!arguments.on("short")) {
        print(findings, context);
      }
      context.terminal().out().println(verdict(faults, warnings, context));
    }
    boolean fault = faults > 0 || (arguments.on("strict") && warnings > 0);
    return fault ? ExitCode.FAULT_FOUND : ExitCode.FINE;
  }

  private static List<DoctorFinding> look(Arguments arguments, CommandContext context) {
    Checkup checkup =
        new Checkup(context, DataDirectories.of(arguments, context), arguments.number("api-port"));
    return SlowStepNotice.during(context, "doctor.waiting", checkup::run);
  }

  /// Cleaning up puts settings back, so it comes first and the machine is looked at again.
  private static List<DoctorFinding> fix(Arguments arguments, CommandContext context) {
    List<DoctorFinding> done = new ArrayList<>(fix(look(arguments, context), true));
    done.addAll(fix(look(arguments, context), false));
    return done.isEmpty()
        ? List.of(new DoctorFinding("fixed", Mark.NOTHING, context.text("doctor.fix.nothing")))
        : done;
  }

  private static List<DoctorFinding> fix(List<DoctorFinding> findings, boolean leftovers) {
    return findings.stream()
        .filter(finding -> finding.row().equals(Checkup.LEFTOVERS) == leftovers)
        .flatMap(finding -> finding.remedy().stream())
        .map(Remedy::apply)
        .toList();
  }

  private static void print(List<DoctorFinding> findings, CommandContext context) {
    Map<String, List<String>> rows = new LinkedHashMap<>();
    for (DoctorFinding finding : findings) {
      rows.computeIfAbsent(finding.row(), row -> new ArrayList<>())
          .add(context.terminal().mark(finding.mark()) + " " + finding.text());
    }
    rows.forEach(
        (row, texts) ->
            context
                .terminal()
                .out()
                .println(Columns.pad(row, ROW_WIDTH) + String.join("   ", texts)));
  }

  private static ObjectNode document(List<DoctorFinding> findings, String verdict) {
    ObjectNode document =
        Json.object()
            .put("apiVersion", "cli.fairlead.dev/v1")
            .put("kind", "Checkup")
            .put("verdict", verdict);
    ArrayNode list = document.putArray("findings");
    for (DoctorFinding finding : findings) {
      String state =
          switch (finding.mark()) {
            case GOOD -> "ok";
            case WARNING -> "warning";
            case BAD -> "fault";
            default -> "none";
          };
      list.addObject()
          .put("group", finding.row())
          .put("state", state)
          .put("message", finding.text());
    }
    return document;
  }

  private static String verdict(long faults, long warnings, CommandContext context) {
    List<String> parts = new ArrayList<>();
    if (faults == 0) {
      parts.add(context.text("doctor.ok"));
    } else {
      parts.add(faults == 1 ? context.text("doctor.fault") : context.text("doctor.faults", faults));
    }
    if (warnings > 0) {
      parts.add(
          warnings == 1
              ? context.text("doctor.warning")
              : context.text("doctor.warnings", warnings));
    }
    return String.join(", ", parts);
  }

  private static long count(List<DoctorFinding> findings, Mark mark) {
    return findings.stream().filter(finding -> finding.mark() == mark).count();
  }
}
