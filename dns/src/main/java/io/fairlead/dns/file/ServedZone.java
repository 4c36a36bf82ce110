package io.fairlead.dns.file;

import io.fairlead.dns.corefile.Fallthrough;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.zonefile.ZoneFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A zone with the file it comes from.
final class ServedZone {
  private final Path file;
  private final Name origin;
  private final Fallthrough fallthrough;
  private final Duration reload;
  private volatile @Nullable Zone zone;

  ServedZone(Path file, Name origin, Fallthrough fallthrough, Duration reload) {
    this.file = file;
    this.origin = origin;
    this.fallthrough = fallthrough;
    this.reload = reload;
  }

  Path file() {
    return file;
  }

  Name origin() {
    return origin;
  }

  Fallthrough fallthrough() {
    return fallthrough;
  }

  Duration reload() {
    return reload;
  }

  Zone zone() {
    Zone current = zone;
    if (current == null) {
      throw new IllegalStateException("not loaded: " + origin);
    }
    return current;
  }

  /// Reads the file; false when it holds the serial that is served already.
  boolean load() throws IOException, ZoneFileException {
    Zone read = ZoneFile.read(file, origin);
    Zone before = zone;
    if (before != null && before.serial() == read.serial()) {
      return false;
    }
    zone = read;
    return true;
  }
}
