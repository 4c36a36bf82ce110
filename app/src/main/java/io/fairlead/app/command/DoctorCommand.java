package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Exit;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.app.text.Columns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `fairlead doctor`: would Fairlead work here, and what is in its way.
public final class DoctorCommand implements Command {
  private static final int ROW_WIDTH = 10;

  @Override
  public int run(Arguments arguments, Context context) {
    List<Finding> findings =
        new Checkup(context, DataDirectories.of(arguments, context), arguments.number("api-port"))
            .run();
    if (!arguments.on("short")) {
      print(findings, context);
    }
    long faults = count(findings, Mark.BAD);
    long warnings = count(findings, Mark.WARNING);
    context.terminal().out().println(verdict(faults, warnings, context));
    boolean fault = faults > 0 || (arguments.on("strict") && warnings > 0);
    return fault ? Exit.FAULT_FOUND : Exit.FINE;
  }

  private static void print(List<Finding> findings, Context context) {
    Map<String, List<String>> rows = new LinkedHashMap<>();
    for (Finding finding : findings) {
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

  private static String verdict(long faults, long warnings, Context context) {
    List<String> parts = new ArrayList<>();
    if (faults == 0) {
      parts.add(context.text("doctor.ok"));
    } else {
      parts.add(context.text("doctor.faults", faults));
    }
    if (warnings > 0) {
      parts.add(context.text("doctor.warnings", warnings));
    }
    return String.join(", ", parts);
  }

  private static long count(List<Finding> findings, Mark mark) {
    return findings.stream().filter(finding -> finding.mark() == mark).count();
  }
}
