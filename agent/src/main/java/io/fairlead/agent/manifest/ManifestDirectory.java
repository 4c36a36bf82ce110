package io.fairlead.agent.manifest;

import io.fairlead.agent.pod.Pod;
import io.fairlead.client.ObjectKey;
import io.fairlead.work.SupervisedLoop;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The pods that the files of a directory ask for, one each. Hidden files and directories are
/// skipped. A loop scans it when something changes, and every twenty seconds anyway.
///
/// A file that is not understood changes nothing: the pod it asked for before runs on, and the
/// directory reports the file once.
public final class ManifestDirectory implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ManifestDirectory.class);
  static final String LOOP = "static-pods";
  private static final long RESCAN_SECONDS = 20;
  private static final long GATHER_MILLIS = 20;

  /// What a file said.
  private record Read(byte[] content, Pod pod) {}

  private final Path directory;
  private final String node;
  private final InstantSource clock;
  private final Consumer<Map<ObjectKey, Pod>> wanted;
  private final BiConsumer<Path, String> bad;
  private final SupervisedLoop loop;
  // Owned by the thread that scans: the one that starts it at first, then the loop.
  private Map<Path, Read> known = new LinkedHashMap<>();
  private Map<ObjectKey, Pod> pods = Map.of();
  // What is wrong with files, as found by this scan and by the one before.
  private Map<Path, String> reported = new HashMap<>();
  private Map<Path, String> reportedBefore = Map.of();

  /// @param wanted gets all pods, at the start and whenever they change
  /// @param bad gets files that are not understood, and why
  public ManifestDirectory(
      Path directory,
      String node,
      InstantSource clock,
      Consumer<Map<ObjectKey, Pod>> wanted,
      BiConsumer<Path, String> bad) {
    this.directory = directory;
    this.node = node;
    this.clock = clock;
    this.wanted = wanted;
    this.bad = bad;
    this.loop = SupervisedLoop.of(LOOP).build(this::watch);
  }

  /// Scans once and goes on scanning.
  public void start() {
    scan(true);
    loop.start();
  }

  private void watch() throws IOException, InterruptedException {
    try (WatchService changes = FileSystems.getDefault().newWatchService()) {
      WatchKey watched = null;
      while (!loop.isClosing()) {
        if (watched == null || !watched.isValid()) {
          watched = watch(changes);
        }
        // Again: between the last scan and the beginning of the watch files may have changed.
        scan(false);
        loop.progress();
        WatchKey key = changes.poll(RESCAN_SECONDS, TimeUnit.SECONDS);
        while (key != null) {
          key.pollEvents();
          key.reset();
          // Editors write in several steps.
          key = changes.poll(GATHER_MILLIS, TimeUnit.MILLISECONDS);
        }
      }
    }
  }

  private @Nullable WatchKey watch(WatchService changes) {
    try {
      Path place =
          Files.isDirectory(directory) ? directory : directory.toAbsolutePath().getParent();
      return place == null
          ? null
          : place.register(
              changes,
              StandardWatchEventKinds.ENTRY_CREATE,
              StandardWatchEventKinds.ENTRY_MODIFY,
              StandardWatchEventKinds.ENTRY_DELETE);
    } catch (IOException _) {
      // The directory may be made later; every scan tries again.
      return null;
    }
  }

  private void scan(boolean always) {
    reportedBefore = reported;
    reported = new HashMap<>();
    Map<Path, Read> found = new LinkedHashMap<>();
    for (Path file : files()) {
      Read read = read(file);
      if (read != null) {
        found.put(file, read);
      }
    }
    known = found;
    Map<ObjectKey, Pod> now = pods(found);
    boolean changed = !now.equals(pods);
    if (changed || always) {
      wanted.accept(now);
    }
    // Only now: if the consumer has failed, the next scan hands it the pods again.
    pods = now;
  }

  private List<Path> files() {
    List<Path> files = new ArrayList<>();
    if (Files.isRegularFile(directory)) {
      files.add(directory);
      return files;
    }
    try (Stream<Path> entries = Files.list(directory)) {
      entries
          .filter(one -> !one.getFileName().toString().startsWith("."))
          .filter(Files::isRegularFile)
          .sorted()
          .forEach(files::add);
    } catch (IOException e) {
      report(directory, "cannot be read: " + e);
    }
    return files;
  }

  private @Nullable Read read(Path file) {
    Read before = known.get(file);
    try {
      byte[] content = Files.readAllBytes(file);
      if (before != null && Arrays.equals(before.content(), content)) {
        return before;
      }
      Instant seen = clock.instant();
      Pod pod = StaticPodManifest.read(file, content, node, seen);
      return new Read(content, pod);
    } catch (BadManifest e) {
      report(file, e.why());
    } catch (IOException e) {
      if (!Files.exists(file)) {
        return null;
      }
      report(file, "cannot be read: " + e);
    }
    return before;
  }

  /// By name; of two files with one name the first counts.
  private Map<ObjectKey, Pod> pods(Map<Path, Read> files) {
    Map<ObjectKey, Pod> byName = new LinkedHashMap<>();
    files.forEach(
        (file, read) -> {
          Pod first = byName.putIfAbsent(read.pod().key(), read.pod());
          if (first != null) {
            report(file, "another file has a pod " + read.pod().key() + " already");
          }
        });
    return byName;
  }

  private void report(Path file, String why) {
    reported.put(file, why);
    if (!why.equals(reportedBefore.get(file))) {
      log.atWarn().addKeyValue("file", file).addKeyValue("why", why).log("no static pod");
      bad.accept(file, why);
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
