package io.fairlead.e2e.kubectl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/// What kubectl printed against the original, command by command.
final class Transcript {
  private Transcript() {}

  /// One command and what it printed.
  ///
  /// @param exit the exit status; "timeout" when the command was stopped
  record Step(String file, String command, String stdout, String stderr, String exit) {}

  /// The steps of a recording; none when it does not exist.
  static List<Step> recorded(String file) {
    return read("/golden/kubectl/" + file + ".txt");
  }

  /// @param path of the resource
  static List<Step> read(String path) {
    String file = path.substring(path.lastIndexOf('/') + 1, path.lastIndexOf('.'));
    try (InputStream in = Transcript.class.getResourceAsStream(path)) {
      if (in == null) {
        return List.of();
      }
      return parse(file, new String(in.readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Step> parse(String file, String text) {
    List<Step> steps = new ArrayList<>();
    for (String block : text.split("(?m)^\\$ ")) {
      if (!block.isBlank()) {
        steps.add(step(file, block));
      }
    }
    return steps;
  }

  private static Step step(String file, String block) {
    StringBuilder stdout = new StringBuilder();
    StringBuilder stderr = new StringBuilder();
    StringBuilder into = stdout;
    String exit = "0";
    List<String> lines = block.lines().toList();
    for (String line : lines.subList(1, lines.size())) {
      if (line.equals("[stderr]")) {
        into = stderr;
      } else if (line.startsWith("[exit ")) {
        exit = line.substring(6, line.length() - 1);
      } else if (!(line.startsWith("# ") && stdout.isEmpty() && stderr.isEmpty())) {
        into.append(line).append('\n');
      }
    }
    return new Step(
        file, lines.getFirst(), stdout.toString().strip(), stderr.toString().strip(), exit);
  }
}
