package io.fairlead.proxy.testing;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// The main class inside a guest: runs test classes and notes every outcome in a file, one line
/// each: `passed NAME STACKTRACE MILLISECONDS` or `failed` in the same way, texts in Base64.
public final class GuestRun {
  private GuestRun() {}

  /// @param arguments the file, then names of test classes
  public static void main(String[] arguments) throws IOException {
    List<DiscoverySelector> classes =
        Stream.of(arguments)
            .skip(1)
            .map(name -> (DiscoverySelector) DiscoverySelectors.selectClass(name))
            .toList();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(classes).build();
    Launcher launcher = LauncherFactory.create();
    try (BufferedWriter file = Files.newBufferedWriter(Path.of(arguments[0]))) {
      launcher.execute(request, new Notes(file));
    }
    // Threads of a test that failed must not keep the guest running.
    System.exit(0);
  }

  /// Writes each outcome at once, so that a guest that hangs leaves what it had.
  private static final class Notes implements TestExecutionListener {
    private final BufferedWriter file;
    private final Map<String, Long> began = new HashMap<>();
    private @Nullable TestPlan plan;

    Notes(BufferedWriter file) {
      this.file = file;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan testPlan) {
      plan = testPlan;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
      began.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      boolean failed = result.getStatus() != TestExecutionResult.Status.SUCCESSFUL;
      if (!test.isTest() && !failed) {
        return;
      }
      String why =
          result
              .getThrowable()
              .map(
                  thrown -> {
                    StringWriter text = new StringWriter();
                    thrown.printStackTrace(new PrintWriter(text));
                    return text.toString();
                  })
              .orElse("");
      long took = System.nanoTime() - began.getOrDefault(test.getUniqueId(), System.nanoTime());
      write(failed ? "failed" : "passed", test, why, took);
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      write("failed", test, "skipped: " + reason, 0);
    }

    private String name(TestIdentifier test) {
      TestPlan whole = Objects.requireNonNull(plan);
      String parent =
          whole
              .getParent(test)
              .filter(each -> whole.getParent(each).isPresent())
              .map(this::name)
              .orElse("");
      return parent.isEmpty() ? test.getDisplayName() : parent + ": " + test.getDisplayName();
    }

    private void write(String how, TestIdentifier test, String why, long nanos) {
      try {
        file.write(
            String.join(
                " ",
                how,
                encoded(name(test)),
                encoded(why),
                Long.toString(TimeUnit.NANOSECONDS.toMillis(nanos))));
        file.newLine();
        file.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static String encoded(String text) {
      return "=" + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
  }
}
