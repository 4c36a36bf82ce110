package io.fairlead.agent.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which files of a log there are after it was written for long.
class LogRotationTest {
  private static final LogRotation SMALL = new LogRotation(10, 3);

  @TempDir Path directory;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  private Path file() {
    return directory.resolve("0.log");
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(one -> one.getFileName().toString()).sorted().toList();
    }
  }

  /// A writer that goes on in a new file.
  private boolean write(String text) throws IOException {
    Files.writeString(file(), text);
    boolean rotated = SMALL.rotate(file(), now, () -> create(file()));
    now = now.plusSeconds(10);
    return rotated;
  }

  private static void create(Path file) {
    try {
      Files.createFile(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aShortLogStays() throws IOException {
    assertThat(write("0123456789")).isFalse();
    assertThat(files()).containsExactly("0.log");
  }

  @Test
  void theNewestIsKeptAsItIsOlderOnesSmallAndTheOldestNotAtAll() throws IOException {
    Files.writeString(directory.resolve("10.log"), "another run's");
    for (int i = 1; i <= 4; i++) {
      assertThat(write("this is run " + i)).isTrue();
    }
    assertThat(files())
        .containsExactly("0.log", "0.log.20260101-000020.gz", "0.log.20260101-000030", "10.log");
    assertThat(directory.resolve("0.log.20260101-000030")).hasContent("this is run 4");
    try (InputStream in =
        new GZIPInputStream(Files.newInputStream(directory.resolve("0.log.20260101-000020.gz")))) {
      assertThat(in.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("this is run 3");
    }
    assertThat(file()).isEmptyFile();
  }

  @Test
  void whenTheWriterDoesNotFollowAllIsAsItWas() throws IOException {
    Files.writeString(file(), "much too long");
    assertThatThrownBy(
            () ->
                SMALL.rotate(
                    file(),
                    now,
                    () -> {
                      throw new IllegalStateException("the engine is away");
                    }))
        .hasMessage("the engine is away");
    assertThat(files()).containsExactly("0.log");
    assertThat(file()).hasContent("much too long");
  }
}
