import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// Reads what Kubernetes' end-to-end tests report: `ConformanceReport PAGE SUITE HOW REPORT...`.
///
/// Prints counts and the names of failed tests, and writes PAGE: every test that ever ran with the
/// outcome of its last run, and what the last runs were. The page is its own memory: a run changes the
/// lines of the tests that it ran. SUITE is the list of the conformance suite (`e2e.test --list-conformance-tests`), HOW says
/// what the tests ran on. Ends with 1 when a test failed or none ran.
final class ConformanceReport {
  private static final Pattern NAME = Pattern.compile("codename: ('(?:[^']|'')*'|[^'\n][^\n]*(?:\n    [^\n]*)*)");
  private static final Pattern LINE = Pattern.compile("- \\[([x ])\\] (.*?)(?: — (.*))?");
  private static final Pattern RUN = Pattern.compile("- \\d+ tests, .*");
  private static final Pattern SIG = Pattern.compile("\\[sig-([a-z-]+)\\].*");
  private static final int LONGEST_REASON = 300;
  private static final int RUNS = 20;

  /// @param why empty for a test that passed
  private record Outcome(boolean passed, String why) {}

  private final Map<String, Outcome> known = new TreeMap<>();
  private final Map<String, Outcome> now = new TreeMap<>();
  private final List<String> runs = new ArrayList<>();
  private int skipped;

  private ConformanceReport() {}

  public static void main(String[] arguments) throws Exception {
    Path page = Path.of(arguments[0]);
    List<String> suite = suite(Files.readString(Path.of(arguments[1])));
    ConformanceReport report = new ConformanceReport();
    report.remember(page);
    DocumentBuilder xml = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    for (int i = 3; i < arguments.length; i++) {
      if (Files.exists(Path.of(arguments[i]))) {
        report.read(xml.parse(Path.of(arguments[i]).toFile()).getElementsByTagName("testcase"));
      }
    }
    report.known.putAll(report.now);
    System.exit(report.print(page, suite, arguments[2]) ? 0 : 1);
  }

  /// The names of the suite's tests.
  private static List<String> suite(String yaml) {
    List<String> names = new ArrayList<>();
    Matcher found = NAME.matcher(yaml);
    while (found.find()) {
      String name = found.group(1).replaceAll("\\s+", " ").strip();
      names.add(name.startsWith("'") ? name.substring(1, name.length() - 1).replace("''", "'") : name);
    }
    return names;
  }

  private void remember(Path page) throws IOException {
    if (Files.exists(page)) {
      for (String line : Files.readAllLines(page)) {
        Matcher found = LINE.matcher(line);
        if (RUN.matcher(line).matches()) {
          runs.add(line);
        } else if (found.matches()) {
          String why = found.group(3) == null ? "" : found.group(3);
          known.put(found.group(2), new Outcome(found.group(1).equals("x"), why));
        }
      }
    }
  }

  private void read(NodeList cases) {
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      String name = test.getAttribute("name").replaceFirst("^\\[It\\] ", "");
      String status = test.getAttribute("status");
      if (!name.startsWith("[sig-")) {
        continue;
      }
      // Tests carry labels, which are part of their names already.
      name = name.replaceFirst(" \\[[^\\[\\]]*, [^\\[\\]]*\\]$", "").replaceAll(" +", " ");
      if (status.equals("passed")) {
        now.put(name, new Outcome(true, ""));
      } else if (status.equals("skipped") || status.equals("pending")) {
        // Those that were not asked for are listed as skipped too, without a reason.
        skipped += why(test, "").startsWith("skipped - ") ? 1 : 0;
      } else if (!cutOff(status, why(test, status))) {
        now.put(name, new Outcome(false, why(test, status)));
      }
    }
  }

  /// Whether a test was still running when the whole run was ended: that says nothing about it.
  private static boolean cutOff(String status, String why) {
    return List.of("interrupted", "aborted").contains(status) || why.startsWith("A suite timeout occurred");
  }

  /// The first lines of the failure's message, as one.
  private static String why(Element test, String status) {
    for (String tag : List.of("failure", "error", "skipped")) {
      NodeList found = test.getElementsByTagName(tag);
      if (found.getLength() > 0) {
        Element element = (Element) found.item(0);
        String message = element.getAttribute("message");
        // A failure is told by its text, a skip by its message.
        String text =
            (message.isEmpty() ? element.getTextContent() : message)
                .replaceFirst("^\\[[A-Z]+\\] ", "")
                .replaceAll("\\nIn \\[[A-Za-z]+\\] at: [^\\n]*", "")
                .replaceAll("\\s+", " ")
                .replace("<", "&lt;")
                .strip();
        return text.length() > LONGEST_REASON ? text.substring(0, LONGEST_REASON) + "…" : text;
      }
    }
    return status;
  }

  private boolean print(Path page, List<String> suite, String how) throws IOException {
    long failed = count(false);
    System.out.println(
        "ran: " + now.size() + ", passed: " + (now.size() - failed) + ", failed: " + failed + ", skipped themselves: " + skipped);
    now.forEach(
        (name, outcome) -> {
          if (!outcome.passed()) {
            System.out.println("failed: " + name + "\n  " + outcome.why());
          }
        });
    if (!now.isEmpty()) {
      Files.writeString(page, text(suite, how));
      System.out.println("written: " + page);
    }
    return failed == 0 && !now.isEmpty();
  }

  private String text(List<String> suite, String how) {
    StringBuilder text =
        new StringBuilder(
            """
            # Conformance

            What became of Kubernetes' own end-to-end tests (`e2e.test`) when they last ran against Fairlead with containerd. `./dev conformance [FOCUS]` runs
            them and writes this page: the lines of the tests that ran are replaced, the others stay. A test that skips itself is not listed.

            """);
    text.append("| SIG | in the conformance suite | passed | failed | not run |\n|---|---|---|---|---|\n");
    Map<String, List<String>> bySig = new TreeMap<>();
    suite.forEach(name -> bySig.computeIfAbsent(sig(name), _ -> new ArrayList<>()).add(name));
    bySig.forEach((sig, names) -> row(text, sig, names));
    row(text, "all", suite);
    text.append("\nOther tests that ran: ").append(others(suite, true)).append(" passed, ").append(others(suite, false)).append(" failed.\n");
    runs.addFirst("- " + now.size() + " tests, " + how + ": " + count(false) + " failed");
    text.append("\n## The last runs\n\n");
    runs.stream().limit(RUNS).forEach(run -> text.append(run).append('\n'));
    list(text, "Failed", false);
    list(text, "Passed", true);
    return text.toString();
  }

  private long count(boolean passed) {
    return now.values().stream().filter(one -> one.passed() == passed).count();
  }

  private void row(StringBuilder text, String sig, Collection<String> names) {
    long passed = names.stream().filter(name -> known.containsKey(name) && known.get(name).passed()).count();
    long ran = names.stream().filter(known::containsKey).count();
    text.append("| ").append(sig).append(" | ").append(names.size()).append(" | ").append(passed);
    text.append(" | ").append(ran - passed).append(" | ").append(names.size() - ran).append(" |\n");
  }

  private long others(List<String> suite, boolean passed) {
    return known.entrySet().stream()
        .filter(one -> !suite.contains(one.getKey()) && one.getValue().passed() == passed)
        .count();
  }

  private void list(StringBuilder text, String title, boolean passed) {
    text.append("\n## ").append(title).append("\n\n");
    known.forEach(
        (name, outcome) -> {
          if (outcome.passed() == passed) {
            text.append(passed ? "- [x] " : "- [ ] ").append(name);
            text.append(outcome.why().isEmpty() ? "" : " — " + outcome.why()).append('\n');
          }
        });
  }

  private static String sig(String name) {
    Matcher found = SIG.matcher(name);
    return found.matches() ? found.group(1) : "other";
  }
}
