package io.fairlead.agent.manifest;

import io.fairlead.agent.pod.Pod;
import io.fairlead.client.ObjectKey;
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
/// skipped. A thread of its own looks when something changes, and every twenty seconds anyway.
///
/// A file that is not understood changes nothing: what it said before goes on, and whoever listens
/// is told once.
public final class ManifestDirectory implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ManifestDirectory.class);
  private static final long RESCAN_SECONDS = 20;
  private static final long GATHER_MILLIS = 20;

  /// What a file said.
  private record Read(byte[] content, Pod pod) {}

  private final Path directory;
  private final String node;
  private final InstantSource clock;
  private final Consumer<Map<ObjectKey, Pod>> wanted;
  private final BiConsumer<Path, String> bad;
  private final Thread thread;
  // Owned by whoever scans: the starter at first, the thread then.
  private Map<Path, Read> known = new LinkedHashMap<>();
  private Map<ObjectKey, Pod> pods = Map.of();
  // What is wrong with files, as found by this look and by the one before.
  private Map<Path, String> told = new HashMap<>();
  private Map<Path, String> toldBefore = Map.of();

  /// @param wanted is told all pods, at the start and whenever they change
  /// @param bad is told of files that are not understood, and why
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
    this.thread = Thread.ofVirtual().name("static pods").unstarted(this::run);
  }

  /// Looks once and goes on looking.
  public void start() {
    scan(true);
    thread.start();
  }

  private void run() {
    try (WatchService changes = FileSystems.getDefault().newWatchService()) {
      WatchKey watched = null;
      while (true) {
        if (watched == null || !watched.isValid()) {
          watched = watch(changes);
        }
        // Again: between the last look and the beginning of the watch things may have changed.
        scan(false);
        WatchKey key = changes.poll(RESCAN_SECONDS, TimeUnit.SECONDS);
        while (key != null) {
          key.pollEvents();
          key.reset();
          // Editors write in several steps.
          key = changes.poll(GATHER_MILLIS, TimeUnit.MILLISECONDS);
        }
      }
    } catch (IOException e) {
      log.atError().setCause(e).log("files of static pods are no longer watched");
    } catch (InterruptedException _) {
      // Closed.
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
      // It may come to be; until then it is looked for now and then.
      return null;
    }
  }

  private void scan(boolean always) {
    toldBefore = told;
    told = new HashMap<>();
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
    pods = now;
    if (changed || always) {
      wanted.accept(now);
    }
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
      tell(directory, "cannot be read: " + e);
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
      Pod pod = Manifest.read(file, content, node, seen);
      return new Read(content, pod);
    } catch (BadManifest e) {
      tell(file, e.why());
    } catch (IOException e) {
      if (!Files.exists(file)) {
        return null;
      }
      tell(file, "cannot be read: " + e);
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
            tell(file, "another file has a pod " + read.pod().key() + " already");
          }
        });
    return byName;
  }

  private void tell(Path file, String why) {
    told.put(file, why);
    if (!why.equals(toldBefore.get(file))) {
      log.atWarn().addKeyValue("file", file).addKeyValue("why", why).log("no static pod");
      bad.accept(file, why);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
