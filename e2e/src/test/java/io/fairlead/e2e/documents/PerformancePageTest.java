package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.bench.all.AllBench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page of performance says what its figures say.
class PerformancePageTest {
  @TempDir Path directory;

  private String page(String... figures) throws Exception {
    Path results = Files.createDirectory(directory.resolve("results"));
    Files.write(results.resolve("api.jsonl"), List.of(figures));
    write(results);
    return Files.readString(directory.resolve("docs/performance.md"));
  }

  private void write(Path results) throws Exception {
    assertThat(
            AllBench.run(
                List.of("--page", "--results=" + results, "--docs=" + directory.resolve("docs"))))
        .isZero();
  }

  private static final String FACTS =
      "{\"part\":\"api\",\"date\":\"2026-01-02\",\"commit\":\"abc\",\"machine\":\"M\","
          + "\"originals\":\"kube-apiserver v1\",\"load\":\"0.5\",\"seconds\":\"7\"}";

  private static String figure(int round, String who, double rate) {
    return "{\"round\":%d,\"who\":\"%s\",\"what\":\"get-16\",\"figures\":{\"per_second\":%s}}"
        .formatted(round, who, rate);
  }

  @Test
  void theRatioIsFormedInsideARoundAndItsMedianShown() throws Exception {
    String page =
        page(
            FACTS,
            figure(1, "fairlead", 3000),
            figure(1, "kube-apiserver", 1000),
            figure(2, "fairlead", 2000),
            figure(2, "kube-apiserver", 200),
            figure(3, "fairlead", 8000),
            figure(3, "kube-apiserver", 2000));
    assertThat(page).contains("| Gets, 16 clients | 1,000/s | 3,000/s | 4.00 |");
    assertThat(page).contains("| `api` | 2026-01-02 | abc | 0.5 | 7 |");
    assertThat(page).contains("Machine: M.").contains("Originals: kube-apiserver v1.");
  }

  @Test
  void whereTheOriginalIsBetterTheRatioIsBold() throws Exception {
    assertThat(page(FACTS, figure(1, "fairlead", 100), figure(1, "kube-apiserver", 200)))
        .contains("| Gets, 16 clients | 200/s | 100/s | **0.50** |");
  }

  @Test
  void whatWasNotMeasuredIsToldAsThat() throws Exception {
    assertThat(page(FACTS, figure(1, "fairlead", 100)))
        .contains("| Gets, 16 clients | not measured | not measured | – |");
  }

  @Test
  void anUnknownPartIsRefused() throws Exception {
    assertThat(AllBench.run(List.of("--part=nope"))).isEqualTo(2);
    assertThat(AllBench.run(List.of("--orignals"))).isEqualTo(2);
  }

  /// No figure on the page is written by hand.
  @Test
  void thePageFollowsFromTheFiguresBesideIt() throws Exception {
    String first = page(FACTS, figure(1, "fairlead", 300), figure(1, "kube-apiserver", 100));
    Path docs = directory.resolve("docs");
    List<Path> written = files(docs);
    assertThat(written).hasSize(3 + 10);
    Files.delete(docs.resolve("performance.md"));
    write(directory.resolve("none"));
    assertThat(Files.readString(docs.resolve("performance.md"))).isEqualTo(first);
    assertThat(Files.readString(docs.resolve("zh-CN/performance.md"))).contains("3.00");
    assertThat(Files.readString(docs.resolve("images/performance-api.svg")))
        .contains("100/s → 300/s, 3.00×");
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
