import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// Judges a test run by its reports: `TestReports ROOT EXPECTED-SKIPS`.
///
/// Reads `*/target/surefire-reports/TEST-*.xml` below ROOT and ends with 1 when a test failed, when
/// more than two tests needed a second attempt (only tests tagged `system` get one), or when a test
/// was skipped that EXPECTED-SKIPS does not list. It also fails when there are no reports.
///
/// A line of EXPECTED-SKIPS has three columns, separated by ` | `: a shell condition that holds on
/// machines where the skip is expected, a pattern for `class#method`, a pattern for the reason.
final class TestReports {
  private static final int MOST_FLAKES = 2;
  private static final int LONGEST_REASON = 400;

  private record Skip(String test, String reason) {}

  private record ExpectedSkip(String condition, Pattern test, Pattern reason) {
    boolean covers(Skip skip) {
      return test.matcher(skip.test).matches() && reason.matcher(skip.reason).find();
    }
  }

  /// Tests and why: the first line of the message, for a log may be all that remains of a run.
  private final Map<String, String> failed = new LinkedHashMap<>();

  private final Map<String, String> flaky = new LinkedHashMap<>();
  private final List<Skip> skipped = new ArrayList<>();
  private int tests;

  private TestReports() {}

  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    TestReports reports = new TestReports();
    DocumentBuilder xml = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    for (Path file : files(root)) {
      reports.read(xml.parse(file.toFile()));
    }
    System.exit(reports.verdict(root, expected(Path.of(arguments[1]))) ? 0 : 1);
  }

  private static List<Path> files(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.sorted().toList()) {
        Path reports = module.resolve("target/surefire-reports");
        if (Files.isDirectory(reports)) {
          try (Stream<Path> files = Files.list(reports)) {
            files
                .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                .sorted()
                .forEach(found::add);
          }
        }
      }
    }
    return found;
  }

  private static List<ExpectedSkip> expected(Path file) throws IOException {
    List<ExpectedSkip> rows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] columns = line.split(" \\| ", 3);
        rows.add(
            new ExpectedSkip(
                columns[0].strip(),
                Pattern.compile(columns[1].strip()),
                Pattern.compile(columns[2].strip())));
      }
    }
    return rows;
  }

  private void read(Document report) {
    var cases = report.getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      // Surefire marks the class names of its second execution: `a.B(system)`.
      String type = test.getAttribute("classname").replaceFirst("\\(\\w+\\)$", "");
      String name = type + "#" + test.getAttribute("name");
      tests++;
      for (Node part = test.getFirstChild(); part != null; part = part.getNextSibling()) {
        switch (part.getNodeName()) {
          case "failure", "error" -> failed.putIfAbsent(name, reason((Element) part));
          case "flakyFailure", "flakyError" -> flaky.putIfAbsent(name, reason((Element) part));
          case "skipped" -> skipped.add(new Skip(name, reason((Element) part)));
          default -> {
            // Output, and later attempts.
          }
        }
      }
    }
  }

  /// Why a test failed or was skipped, in one line: Surefire writes it as an attribute, or as a
  /// stack trace.
  private static String reason(Element result) {
    String message = result.getAttribute("message");
    String why =
        message.isBlank()
            ? result.getTextContent().strip().lines().findFirst().orElse("")
            : message.strip().replaceAll("\\s+", " ");
    return why.length() <= LONGEST_REASON ? why : why.substring(0, LONGEST_REASON) + "…";
  }

  private boolean verdict(Path root, List<ExpectedSkip> expected)
      throws IOException, InterruptedException {
    List<String> unexpected = new ArrayList<>();
    int listed = 0;
    for (Skip skip : skipped) {
      if (isExpected(root, expected, skip)) {
        listed++;
      } else {
        unexpected.add(skip.test + ": " + skip.reason);
      }
    }
    System.err.println(
        "tests: " + tests + ", failed: " + failed.size() + ", flaky: " + flaky.size()
            + ", skipped: " + skipped.size() + " (" + listed + " expected)");
    print("failed", withReasons(failed));
    print("passed only at the second attempt", withReasons(flaky));
    print("skipped, and not in the list of expected skips", unexpected);
    if (tests == 0) {
      System.err.println("error: there are no test reports");
    }
    if (flaky.size() > MOST_FLAKES) {
      System.err.println("error: more than " + MOST_FLAKES + " tests needed a second attempt");
    }
    return tests > 0 && failed.isEmpty() && flaky.size() <= MOST_FLAKES && unexpected.isEmpty();
  }

  private static boolean isExpected(Path root, List<ExpectedSkip> expected, Skip skip)
      throws IOException, InterruptedException {
    for (ExpectedSkip row : expected) {
      if (row.covers(skip) && holds(root, row.condition)) {
        return true;
      }
    }
    return false;
  }

  private static boolean holds(Path root, String condition)
      throws IOException, InterruptedException {
    Process shell =
        new ProcessBuilder("sh", "-c", condition)
            .directory(root.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    return shell.waitFor() == 0;
  }

  private static List<String> withReasons(Map<String, String> tests) {
    return tests.entrySet().stream().map(test -> test.getKey() + ": " + test.getValue()).toList();
  }

  private static void print(String what, List<String> names) {
    if (!names.isEmpty()) {
      System.err.println(what + ":");
      names.forEach(name -> System.err.println("  " + name));
    }
  }
}
