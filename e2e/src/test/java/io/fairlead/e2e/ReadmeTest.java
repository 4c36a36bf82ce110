package io.fairlead.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Types the first session of the README and compares what is printed.
///
/// Lines that begin with `$ ` are commands, the others are what they print. Times, ages, ports and
/// addresses vary: they are compared by form.
@Tag("system")
class ReadmeTest {
  private record Exchange(String command, List<String> printed) {}

  private record Form(Pattern pattern, String shown) {
    Form(String pattern, String shown) {
      this(Pattern.compile(pattern), shown);
    }
  }

  /// Applied in this order.
  private static final List<Form> FORMS =
      List.of(
          // The test names a directory of its own where the reader names none.
          new Form(" --data-dir \\S+", ""),
          new Form("/\\S*/\\.kube/config", "KUBECONFIG"),
          new Form("/\\S*fairlead\\b", "DATA"),
          new Form("pid \\d+, \\d+ MiB", "pid N, N MiB"),
          new Form("\\d+\\.\\d s", "N.N s"),
          new Form("127\\.0\\.0\\.1:\\d+", "127.0.0.1:PORT"),
          new Form("port \\d+", "port PORT"),
          new Form("10\\.\\d+\\.\\d+\\.\\d+", "10.N.N.N"),
          new Form("\\b\\d+(s|m)\\b", "AGE"),
          new Form(" +", " "));

  @TempDir Path home;

  @Test
  void theFirstSessionPrintsWhatTheReadmeSays() throws Exception {
    assumeTrue(onPath("kubectl"), "kubectl is not installed");
    Instance.launcher(home);
    Map<String, String> environment =
        Map.of(
            "HOME", home.toString(),
            "FAIRLEAD_API_PORT", String.valueOf(Instance.freePort()),
            "FAIRLEAD_DATA_DIR", home.resolve("fairlead").toString());
    Path directory = home.resolve("bin");
    List<Exchange> session = session();
    assertThat(session).hasSizeGreaterThan(4);
    try {
      for (Exchange exchange : session) {
        var result =
            Instance.run(directory, environment, List.of("bash", "-c", exchange.command()));
        assertThat(forms(result.out().lines().toList()))
            .as(exchange.command())
            .isEqualTo(forms(exchange.printed()));
      }
    } finally {
      Instance.run(directory, environment, List.of("./fairlead", "down", "--purge"));
    }
  }

  private static List<Exchange> session() throws Exception {
    String readme = Files.readString(Repository.root().resolve("README.md"));
    int start = readme.indexOf("```console\n") + "```console\n".length();
    String block = readme.substring(start, readme.indexOf("```\n", start));
    List<Exchange> session = new ArrayList<>();
    for (String line : block.lines().toList()) {
      if (line.startsWith("$ ")) {
        session.add(new Exchange(line.substring(2), new ArrayList<>()));
      } else if (!line.isBlank()) {
        session.getLast().printed().add(line);
      }
    }
    return session;
  }

  private static List<String> forms(List<String> lines) {
    List<String> forms = new ArrayList<>();
    for (String line : lines) {
      String form = line;
      for (Form each : FORMS) {
        form = each.pattern().matcher(form).replaceAll(each.shown());
      }
      // Said only by a machine that is busy with something else.
      boolean impatience = form.contains("still waiting for:");
      if (!form.isBlank() && !impatience) {
        forms.add(form.strip());
      }
    }
    return forms;
  }

  private static boolean onPath(String program) {
    for (String directory : System.getenv().getOrDefault("PATH", "").split(":")) {
      if (Files.isExecutable(Path.of(directory, program))) {
        return true;
      }
    }
    return false;
  }
}
