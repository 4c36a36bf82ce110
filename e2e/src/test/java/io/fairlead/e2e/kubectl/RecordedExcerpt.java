package io.fairlead.e2e.kubectl;

import java.util.Set;
import java.util.stream.Collectors;

/// Some recordings hold only a part of what kubectl printed; this takes the same part of ours.
final class RecordedExcerpt {
  private RecordedExcerpt() {}

  static String part(Transcript.Step step, String printed) {
    String command = step.command();
    if (command.startsWith("kubectl explain")) {
      // The beginning.
      return printed.lines().limit(step.stdout().lines().count()).collect(Collectors.joining("\n"));
    }
    if (command.startsWith("kubectl api-")) {
      // The groups and resources of the specification.
      Set<String> recorded =
          step.stdout().lines().map(RecordedExcerpt::squeezed).collect(Collectors.toSet());
      return printed
          .lines()
          .filter(line -> recorded.contains(squeezed(line)))
          .collect(Collectors.joining("\n"));
    }
    if (command.equals("kubectl version")) {
      // What the server says.
      return printed
          .lines()
          .filter(line -> line.startsWith("Server Version"))
          .collect(Collectors.joining("\n"));
    }
    if (command.startsWith("kubectl diff")) {
      // File names without their directory.
      return printed.replaceAll("\\S*/(LIVE|MERGED)-", "$1-");
    }
    return printed;
  }

  private static String squeezed(String line) {
    return line.strip().replaceAll(" +", " ");
  }
}
