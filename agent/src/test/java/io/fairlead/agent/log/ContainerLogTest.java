package io.fairlead.agent.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ContainerLogTest {
  private static final String FILE =
      """
      2026-01-01T00:00:01.000000000Z stdout F one
      2026-01-01T00:00:02.000000000Z stderr F two
      2026-01-01T00:00:03.000000000Z stdout P thr
      2026-01-01T00:00:03.500000000Z stdout F ee
      2026-01-01T00:00:04.000000000Z stdout F\s
      2026-01-01T00:00:05.000000000Z stdout F five
      """;

  @TempDir Path directory;

  record Row(String name, LogOptions options, String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("N63 parts are joined", LogOptions.ALL, "one\ntwo\nthree\n\nfive\n"),
        new Row("N63 the last two", tail(2), "\nfive\n"),
        new Row("no lines at all", tail(0), ""),
        new Row("more than there are", tail(99), "one\ntwo\nthree\n\nfive\n"),
        new Row(
            "since",
            new LogOptions(
                false,
                false,
                Optional.empty(),
                Optional.of(Instant.parse("2026-01-01T00:00:04Z")),
                Optional.empty()),
            "\nfive\n"),
        new Row(
            "bytes",
            new LogOptions(false, false, Optional.empty(), Optional.empty(), Optional.of(6L)),
            "one\ntw"),
        new Row(
            "moments",
            new LogOptions(false, true, Optional.of(1), Optional.empty(), Optional.empty()),
            "2026-01-01T00:00:05.000000000Z five\n"));
  }

  private static LogOptions tail(int lines) {
    return new LogOptions(false, false, Optional.of(lines), Optional.empty(), Optional.empty());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void copies(Row row) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Path file = Files.writeString(directory.resolve("0.log"), FILE);
    ContainerLog.copy(file, row.options(), () -> false, time -> {}, out);
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(row.expected());
  }

  private static final String CUT = FILE + "2026-01-01T00:00:06.000000000Z stdout P si\n";

  static Stream<Row> withoutLineEnd() {
    return Stream.of(
        new Row("all", LogOptions.ALL, "one\ntwo\nthree\n\nfive\nsi"),
        new Row("the last two", tail(2), "five\nsi"),
        new Row(
            "moments",
            new LogOptions(false, true, Optional.of(1), Optional.empty(), Optional.empty()),
            "2026-01-01T00:00:06.000000000Z si"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("withoutLineEnd")
  void aLastLineWithoutAnEndIsCopied(Row row) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Path file = Files.writeString(directory.resolve("0.log"), CUT);
    ContainerLog.copy(file, row.options(), () -> false, time -> {}, out);
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(row.expected());
  }

  @Test
  void aFollowerGetsTheBeginningOfALineBeforeItsEnd() throws Exception {
    Path file = Files.writeString(directory.resolve("0.log"), CUT);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AtomicInteger looks = new AtomicInteger();
    ContainerLog.copy(
        file,
        new LogOptions(true, true, Optional.of(1), Optional.empty(), Optional.empty()),
        () -> looks.incrementAndGet() < 2,
        time -> {
          assertThat(out.toString(StandardCharsets.UTF_8)).endsWith("Z si");
          append(file, "2026-01-01T00:00:07.000000000Z stdout F x\n");
        },
        out);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo("2026-01-01T00:00:06.000000000Z six\n");
  }

  @Test
  void n63FollowingEndsByItselfAndLosesNothing() throws Exception {
    Path file = Files.writeString(directory.resolve("0.log"), FILE);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AtomicInteger looks = new AtomicInteger();
    ContainerLog.copy(
        file,
        new LogOptions(true, false, Optional.of(1), Optional.empty(), Optional.empty()),
        () -> looks.incrementAndGet() < 3,
        time -> append(file, "2026-01-01T00:00:06.000000000Z stdout F more" + looks + "\n"),
        out);
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("five\nmore1\nmore2\n");
  }

  private static String line(int number) {
    return "2026-01-01T00:00:06.%09dZ stdout F line %d\n".formatted(number, number);
  }

  /// What a client reads that follows a file with one line.
  ///
  /// @param times how often the container is still there
  /// @param between what happens each time before the next look
  private static String followed(Path file, int times, IntConsumer between) throws Exception {
    Files.writeString(file, line(1));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AtomicInteger looks = new AtomicInteger();
    ContainerLog.copy(
        file,
        new LogOptions(true, false, Optional.empty(), Optional.empty(), Optional.empty()),
        () -> looks.get() < times,
        _ -> between.accept(looks.incrementAndGet()),
        out);
    return out.toString(StandardCharsets.UTF_8);
  }

  /// The writer still has a line for the old file when the new one is there already.
  @Test
  void n63PutAsideWhileFollowedNothingIsLostOrDoubled() throws Exception {
    Path file = directory.resolve("0.log");
    Path aside = directory.resolve("0.log.20260101-000006");
    IntConsumer writer =
        look -> {
          switch (look) {
            case 1 -> append(file, line(2));
            case 2 -> move(file, aside);
            case 3 -> {
              append(aside, line(3));
              append(file, line(5));
            }
            case 4 -> append(aside, line(4));
            case 5 -> append(file, line(6));
            default -> append(file, line(7));
          }
        };
    assertThat(followed(file, 6, writer).lines())
        .containsExactly("line 1", "line 2", "line 3", "line 4", "line 5", "line 6", "line 7");
  }

  @Test
  void n63PutAsideAtTheVeryEndTheRestIsReadToo() throws Exception {
    Path file = directory.resolve("0.log");
    IntConsumer writer =
        _ -> {
          append(file, line(2));
          move(file, directory.resolve("0.log.20260101-000006"));
          append(file, line(3));
        };
    assertThat(followed(file, 1, writer)).isEqualTo("line 1\nline 2\nline 3\n");
  }

  private static void move(Path from, Path to) {
    try {
      Files.move(from, to);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void append(Path file, String text) {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
