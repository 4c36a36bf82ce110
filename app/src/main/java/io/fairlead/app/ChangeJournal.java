package io.fairlead.app;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.api.changes.RecordedChange;
import io.fairlead.api.json.Json;
import io.fairlead.work.SupervisedLoop;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// Keeps what a recorder of this process notes over a restart, in files of JSON lines.
///
/// How it works: once a second what is new in the ring is appended to `NAME.ndjson`. When that has
/// grown large it becomes `NAME.1.ndjson`, in the place of the one before. At the start the newest
/// lines of both are put back into the ring. No component depends on it: files that cannot be
/// written are logged once, and then left alone.
///
/// The loop's thread owns the files.
final class ChangeJournal implements AutoCloseable {
  static final String KIND = "change-journal";

  /// How many are put back: each holds its whole document, unlike those that are recorded.
  static final int RESTORED = 1000;

  private static final Logger log = LoggerFactory.getLogger(ChangeJournal.class);
  private static final Duration PACE = Duration.ofSeconds(1);
  private static final long LARGEST = 8L << 20;

  /// As many as are written at once.
  private static final int MOST = 1000;

  private final Path directory;
  private final Path current;
  private final Path former;
  private final Supplier<Optional<ChangeRing>> rings;
  private final long largest;
  private final SupervisedLoop loop;
  // Owned by the loop.
  private @Nullable ChangeRing ring;
  private long written;
  private boolean broken;

  private ChangeJournal(
      Path directory, String name, Supplier<Optional<ChangeRing>> rings, long largest) {
    this.directory = directory;
    this.current = directory.resolve(name + ".ndjson");
    this.former = directory.resolve(name + ".1.ndjson");
    this.rings = rings;
    this.largest = largest;
    this.loop = SupervisedLoop.of(KIND).key(name).every(PACE).build(this::step);
  }

  /// Begins. The recorder may not be there yet, or come again as another one.
  static ChangeJournal start(Path directory, String name, Supplier<Optional<ChangeRing>> recorder) {
    return start(directory, name, recorder, LARGEST);
  }

  /// @param largest how many bytes a file may grow to
  static ChangeJournal start(
      Path directory, String name, Supplier<Optional<ChangeRing>> recorder, long largest) {
    ChangeJournal journal = new ChangeJournal(directory, name, recorder, largest);
    journal.loop.start();
    return journal;
  }

  private void step() {
    Optional<ChangeRing> found = rings.get();
    if (found.isEmpty() || broken) {
      return;
    }
    try {
      if (found.get() != ring) {
        written = found.get().restore(read());
        ring = found.get();
      }
      append(found.get());
    } catch (IOException e) {
      broken = true;
      log.atWarn()
          .addKeyValue("file", current)
          .addKeyValue("why", String.valueOf(e.getMessage()))
          .log("history will not outlive this process");
    }
  }

  private void append(ChangeRing from) throws IOException {
    for (ChangeRing.Page page = from.since(written, MOST);
        !page.changes().isEmpty();
        page = from.since(written, MOST)) {
      StringBuilder lines = new StringBuilder();
      page.changes().forEach(change -> lines.append(change.toJson()).append('\n'));
      Files.createDirectories(directory);
      Files.writeString(current, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      written = page.from() + page.changes().size() - 1;
      if (Files.size(current) > largest) {
        Files.move(current, former, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /// The newest lines of both files, the oldest first. A line that a crash cut short is left out.
  private List<RecordedChange> read() throws IOException {
    Deque<RecordedChange> newest = new ArrayDeque<>();
    for (Path file : List.of(former, current)) {
      try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          parse(line).ifPresent(newest::add);
          if (newest.size() > RESTORED) {
            newest.removeFirst();
          }
        }
      } catch (NoSuchFileException _) {
        // The first start, or the file has not grown large yet.
      }
    }
    endLastLine();
    return new ArrayList<>(newest);
  }

  /// What a crash cut short must not swallow the next line.
  private void endLastLine() throws IOException {
    if (!Files.exists(current)) {
      return;
    }
    // Not a channel: one is closed by the interrupt that ends the loop.
    try (RandomAccessFile file = new RandomAccessFile(current.toFile(), "rw")) {
      file.seek(Math.max(0, file.length() - 1));
      int last = file.read();
      if (last >= 0 && last != '\n') {
        file.write('\n');
      }
    }
  }

  private static Optional<RecordedChange> parse(String line) {
    try {
      return Json.parse(line.getBytes(StandardCharsets.UTF_8)) instanceof ObjectNode stored
          ? Optional.of(RecordedChange.of(stored))
          : Optional.empty();
    } catch (JacksonException | DateTimeException _) {
      return Optional.empty();
    }
  }

  /// Writes what is new, and ends.
  @Override
  public void close() {
    loop.close();
    // The thread has ended: its files are ours.
    step();
  }
}
