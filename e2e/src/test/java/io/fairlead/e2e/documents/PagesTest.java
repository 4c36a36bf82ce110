package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.e2e.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every page prints what it says.
@Tag("system")
class PagesTest {
  static final String WALKTHROUGH = "docs/walkthrough.md";
  private static final String README = "README.md";
  private static final String NODE_ADDRESS =
      "kubectl get node fairlead -o jsonpath='{.status.addresses[0].address}'";
  private static final Predicate<String> LOOPBACK = line -> line.startsWith("127.");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path home;

  @ParameterizedTest
  @ValueSource(strings = {README, WALKTHROUGH, "docs/troubleshooting.md"})
  void tellsTheTruth(String name) throws IOException {
    MarkdownDocument document = MarkdownDocument.read(Repository.root(), name);
    try (DocumentSandbox desk = DocumentSandbox.here(home)) {
      DocumentRunner performance = new DocumentRunner(document, desk.shell(), PATIENCE);
      performance.play();
      if (Recorder.wanted()) {
        performance.took().forEach(System.out::println);
        Path page = Repository.root().resolve(name);
        Recorder.write(name, Files.readAllLines(page), performance.otherwise());
      }
    }
  }

  /// Places where the first five minutes have failed before.
  enum Place {
    /// As on a laptop without a network.
    WITHOUT_A_DEFAULT_ROUTE("ip route del default"),
    /// Nothing but loopback.
    WITH_LOOPBACK_ONLY("ip link del eth0");

    final String change;

    Place(String change) {
      this.change = change;
    }
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void theReadmeHolds(Place place) throws IOException {
    MarkdownDocument document = MarkdownDocument.read(Repository.root(), README);
    try (DocumentSandbox desk = DocumentSandbox.here(home)) {
      desk.must(place.change);
      DocumentRunner performance = new DocumentRunner(document, desk.shell(), PATIENCE);
      for (FencedBlock block : document.typed()) {
        if (block.text().stream().anyMatch(line -> line.endsWith("./fairlead down"))) {
          assertThat(desk.must(NODE_ADDRESS)).as("what pods can call").noneMatch(LOOPBACK);
        }
        performance.play(List.of(block));
      }
    }
  }

  /// What starts, shows and ends it is typed outside of a lab.
  @Test
  void theReadmeHoldsInALab() throws IOException {
    MarkdownDocument document = MarkdownDocument.read(Repository.root(), README);
    try (DocumentSandbox desk = DocumentSandbox.inLab(home)) {
      new DocumentRunner(document, desk.shell(), PATIENCE)
          .play(
              document.typed().stream()
                  .filter(block -> block.text().stream().noneMatch(PagesTest::isOfOutside))
                  .toList());
    }
  }

  private static boolean isOfOutside(String line) {
    return line.matches("[$] (sudo )?[.]/fairlead (up|status|down)\\b.*");
  }

  /// In the mode the page is written in it is typed above, from the first block to the last, on a
  /// machine like any other.
  @ParameterizedTest
  @CsvSource({"nftables, WITH_LOOPBACK_ONLY", "userspace, WITHOUT_A_DEFAULT_ROUTE"})
  void theWalkthroughHoldsInOtherModes(String mode, Place place) throws IOException {
    MarkdownDocument document = MarkdownDocument.read(Repository.root(), WALKTHROUGH);
    try (DocumentSandbox desk = DocumentSandbox.here(home)) {
      desk.must(place.change);
      new DocumentRunner(document, desk.shell(), PATIENCE).play(document.typedIn(mode));
    }
  }
}
