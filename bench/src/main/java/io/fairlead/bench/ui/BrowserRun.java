package io.fairlead.bench.ui;

import io.fairlead.api.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// `ui/web/browser/bench.mjs` in a process of its own, with a real Chromium.
///
/// @param web the sources of the page, with their packages
record BrowserRun(Path web, String chromium) {
  /// Who takes what the browser measured.
  interface Listener {
    void figure(String what, String figure, double value) throws IOException;

    /// The browser begins or ends something during which the server is looked at.
    void mark(String name) throws IOException;
  }

  /// Empty where something is missing that the browser needs; `why` is told.
  static Optional<BrowserRun> find(Path home) {
    Path web = Path.of(System.getProperty("fairlead.web", home.resolve("ui/web").toString()));
    Optional<String> chromium =
        Optional.ofNullable(System.getenv("CHROMIUM")).or(() -> onPath("chromium"));
    if (chromium.isEmpty()
        || onPath("node").isEmpty()
        || !Files.exists(web.resolve("node_modules/playwright-core"))) {
      System.err.println("not measured: it needs Chromium, Node and what ./dev ui has fetched");
      return Optional.empty();
    }
    return Optional.of(new BrowserRun(web.toAbsolutePath(), chromium.get()));
  }

  private static Optional<String> onPath(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  /// @param config what the program reads; the browser is added
  void measure(Path directory, ObjectNode config, Listener listener)
      throws IOException, InterruptedException {
    Path file = directory.resolve("bench.json");
    Files.write(file, Json.bytes(config.put("chromium", chromium)));
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of("node", web.resolve("browser/bench.mjs").toString(), file.toString()));
    builder.environment().put("HOME", directory.toString());
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("{")) {
          tell(Json.parseObject(line.getBytes(StandardCharsets.UTF_8)), listener);
        }
      }
    }
    int exit = process.waitFor();
    if (exit != 0) {
      throw new IllegalStateException("bench.mjs ended with " + exit);
    }
  }

  private static void tell(ObjectNode line, Listener listener) throws IOException {
    if (line.has("mark")) {
      listener.mark(Json.textOr(line, "", "mark"));
    } else {
      listener.figure(
          Json.textOr(line, "", "what"),
          Json.textOr(line, "", "figure"),
          line.path("value").asDouble());
    }
  }
}
