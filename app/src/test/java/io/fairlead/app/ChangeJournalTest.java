package io.fairlead.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.api.changes.RecordedChange;
import io.fairlead.work.LoopFaults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a component recorded, before and after a restart of its process.
class ChangeJournalTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Instant AT = Instant.parse("2026-11-16T10:30:11Z");

  @TempDir Path directory;

  private static RecordedChange change(int number) {
    return new RecordedChange("rules", AT.plusSeconds(number), out -> out.put("number", number));
  }

  private static List<Integer> numbers(ChangeRing ring) {
    return ring.since(0, 1000).changes().stream()
        .map(each -> each.toJson().path("number").asInt())
        .toList();
  }

  private ChangeJournal journal(ChangeRing ring) {
    return ChangeJournal.start(directory, "proxy", () -> Optional.of(ring));
  }

  private ChangeRing recorded(int from, int to) {
    ChangeRing ring = new ChangeRing("proxy", 4096);
    try (ChangeJournal _ = journal(ring)) {
      IntStream.rangeClosed(from, to).forEach(i -> ring.add(change(i)));
    }
    return ring;
  }

  @Test
  void theNextProcessHasWhatTheLastOneRecorded() {
    recorded(1, 3);
    assertThat(numbers(recorded(4, 5))).containsExactly(1, 2, 3, 4, 5);
    assertThat(numbers(recorded(6, 6))).containsExactly(1, 2, 3, 4, 5, 6);
  }

  @Test
  void whatIsRecordedBeforeTheFilesAreReadStaysBehindThem() {
    recorded(1, 2);
    ChangeRing early = new ChangeRing("proxy", 4096);
    early.add(change(3));
    try (ChangeJournal _ = journal(early)) {
      await().atMost(LIMIT).until(() -> numbers(early).size() == 3);
    }
    assertThat(numbers(early)).containsExactly(1, 2, 3);
    assertThat(numbers(recorded(4, 4))).containsExactly(1, 2, 3, 4);
  }

  @Test
  void aLineThatACrashCutShortIsLeftOut() throws IOException {
    recorded(1, 2);
    Files.writeString(
        directory.resolve("proxy.ndjson"),
        "{\"kind\":\"rules\",\"at\":\"2026-",
        StandardOpenOption.APPEND);
    assertThat(numbers(recorded(3, 3))).containsExactly(1, 2, 3);
    assertThat(numbers(recorded(4, 4))).as("nothing hangs on the cut line").hasSize(4);
  }

  @Test
  void aLargeFileMakesRoom() throws IOException {
    ChangeRing ring = new ChangeRing("proxy", 4096);
    try (ChangeJournal _ =
        ChangeJournal.start(directory, "proxy", () -> Optional.of(ring), 10_000)) {
      for (int i = 1; i <= 300; i++) {
        ring.add(change(i));
      }
      await().atMost(LIMIT).until(() -> Files.exists(directory.resolve("proxy.1.ndjson")));
      ring.add(change(301));
    }
    assertThat(directory.resolve("proxy.ndjson")).exists();
    assertThat(numbers(recorded(302, 302))).hasSize(302).endsWith(300, 301, 302);
  }

  @Test
  void onlyTheNewestComeBack() throws IOException {
    Files.writeString(
        directory.resolve("proxy.ndjson"),
        IntStream.rangeClosed(1, ChangeJournal.RESTORED + 500)
            .mapToObj(i -> change(i).toJson() + "\n")
            .collect(Collectors.joining()));
    ChangeRing next = new ChangeRing("proxy", 4096);
    try (ChangeJournal _ = journal(next)) {
      await().atMost(LIMIT).until(() -> !numbers(next).isEmpty());
    }
    assertThat(numbers(next)).hasSize(ChangeJournal.RESTORED).startsWith(501);
  }

  @Test
  void aPlaceThatCannotBeWrittenDisturbsNobody() throws IOException {
    Files.writeString(directory.resolve("file"), "");
    ChangeRing ring = new ChangeRing("proxy", 4096);
    try (ChangeJournal _ =
        ChangeJournal.start(
            directory.resolve("file").resolve("below"), "proxy", () -> Optional.of(ring))) {
      ring.add(change(1));
    }
    assertThat(numbers(ring)).containsExactly(1);
  }

  @Test
  void aStepThatFailsLosesNothing() {
    ChangeRing ring = new ChangeRing("proxy", 4096);
    try (ChangeJournal _ = journal(ring)) {
      assertThat(LoopFaults.failOnce(ChangeJournal.KIND)).isPositive();
      ring.add(change(1));
      await().atMost(LIMIT).until(() -> Files.exists(directory.resolve("proxy.ndjson")));
    }
    assertThat(numbers(recorded(2, 2))).containsExactly(1, 2);
  }
}
