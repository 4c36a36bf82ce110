package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the file of the option `snapshot` up to date. Called by the compiling thread alone.
final class SnapshotWriter {
  private static final Logger log = LoggerFactory.getLogger(SnapshotWriter.class);
  private static final long EVERY = TimeUnit.SECONDS.toNanos(30);

  private final SnapshotFile file;
  private final CompileQueue inputs;
  private long savedAt;
  private boolean changed = true;

  SnapshotWriter(Path file, CompileQueue inputs) {
    this.file = new SnapshotFile(file);
    this.inputs = inputs;
  }

  /// Takes in what was saved. What the API says later takes its place.
  void load() {
    try {
      boolean there =
          file.load(object -> inputs.restore(Json.textOr(object, "", FactWriter.KIND), object));
      if (there) {
        inputs.restored();
        log.atInfo().addKeyValue("file", file).log("answering from a snapshot until the API comes");
      }
    } catch (IOException e) {
      inputs.restored();
      log.atWarn()
          .addKeyValue("file", file)
          .addKeyValue("why", e.getMessage())
          .log("cannot read the snapshot, starting without the rest of it");
    }
  }

  void changed() {
    changed = true;
  }

  /// Saves when something has changed and the last time is long enough ago.
  void tick(long now) {
    if (changed && (savedAt == 0 || now - savedAt > EVERY)) {
      savedAt = now;
      save();
    }
  }

  void save() {
    if (!changed) {
      return;
    }
    changed = false;
    try {
      file.save(inputs.all());
    } catch (IOException e) {
      changed = true;
      log.atWarn()
          .addKeyValue("file", file)
          .addKeyValue("why", e.getMessage())
          .log("cannot write the snapshot");
    }
  }
}
