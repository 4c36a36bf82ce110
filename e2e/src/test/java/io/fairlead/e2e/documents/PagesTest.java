package io.fairlead.e2e.documents;

import io.fairlead.e2e.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every page prints what it says.
@Tag("system")
class PagesTest {
  static final String WALKTHROUGH = "docs/walkthrough.md";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path home;

  @ParameterizedTest
  @ValueSource(strings = {"README.md", WALKTHROUGH})
  void tellsTheTruth(String name) throws IOException {
    Document document = Document.read(Repository.root(), name);
    try (Desk desk = Desk.here(home)) {
      Performance performance = new Performance(document, desk.shell(), PATIENCE);
      performance.play();
      if (Recorder.wanted()) {
        performance.took().forEach(System.out::println);
        Path page = Repository.root().resolve(name);
        Recorder.write(name, Files.readAllLines(page), performance.otherwise());
      }
    }
  }

  /// In the mode the page is written in it is typed above, from the first block to the last.
  @ParameterizedTest
  @ValueSource(strings = {"nftables", "userspace"})
  void holdsInOtherModes(String mode) throws IOException {
    Document document = Document.read(Repository.root(), WALKTHROUGH);
    try (Desk desk = Desk.here(home)) {
      new Performance(document, desk.shell(), PATIENCE).play(document.typedIn(mode));
    }
  }
}
