package io.fairlead.bench.store;

import io.fairlead.bench.api.Processes;
import io.fairlead.bench.report.Report;
import io.fairlead.store.Range;
import io.fairlead.store.Write;
import io.fairlead.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// How long a store with many objects takes to open: after an orderly end, and from the files that
/// a killed process leaves (write-ahead log not copied).
final class ReopenBench {
  private static final int PER_COMMIT = 500;
  private final Report report;
  private final int rounds;

  ReopenBench(Report report, int rounds) {
    this.report = report;
    this.rounds = rounds;
  }

  void run(int objects) throws IOException {
    Path base = Files.createTempDirectory("fairlead-bench-reopen");
    try {
      Path orderly = base.resolve("orderly");
      Path killed = base.resolve("killed");
      try (EmbeddedStore store = EmbeddedStore.open(orderly)) {
        fill(store, objects);
        copy(orderly, killed); // nothing is written now: these are the files a kill would leave
      }
      for (int round = 1; round <= rounds; round++) {
        open(round, orderly, "reopen-" + objects, objects);
        Path again = base.resolve("again");
        copy(killed, again);
        open(round, again, "reopen-killed-" + objects, objects);
        Processes.delete(again);
      }
    } finally {
      Processes.delete(base);
    }
  }

  private void open(int round, Path directory, String what, int objects) {
    long begin = System.nanoTime();
    try (EmbeddedStore store = EmbeddedStore.open(directory)) {
      int found = store.range(Range.all("/")).entries().size();
      report.add(round, "embedded", what, "ms", (System.nanoTime() - begin) / 1e6);
      if (found != objects) {
        throw new IllegalStateException(found + " of " + objects + " objects: the round is void");
      }
    }
  }

  private static void fill(EmbeddedStore store, int objects) {
    byte[] value = new byte[1200];
    Arrays.fill(value, (byte) 'x');
    for (int i = 0; i < objects; i += PER_COMMIT) {
      List<Write> writes = new ArrayList<>();
      for (int k = i; k < Math.min(objects, i + PER_COMMIT); k++) {
        writes.add(new Write.Put("/registry/services/specs/default/s" + k, value, Write.ABSENT));
      }
      store.commit(writes);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.endsWith("store.db-shm")) {
          Files.copy(file, to.resolve(file.getFileName()));
        }
      }
    }
  }
}
