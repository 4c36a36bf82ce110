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
  /// @param reload how often the file is checked; zero for never
  record Options(Path file, Name origin, Fallthrough fallthrough, Duration reload) {}

  private final Options options;
  private volatile @Nullable LoadedZone loaded;

  /// One reading of the file.
  ///
  /// @param version an object of its own: who only wants to know whether the zone has changed does
  ///   not hold on to the records
  record LoadedZone(Zone zone, Object version) {}

  ServedZone(Options options) {
    this.options = options;
  }

  Options options() {
    return options;
  }

  Name origin() {
    return options.origin();
  }

  Zone zone() {
    return loaded().zone();
  }

  LoadedZone loaded() {
    LoadedZone current = loaded;
    if (current == null) {
      throw new IllegalStateException("not loaded: " + origin());
    }
    return current;
  }

  /// Whether no newer version has taken the place of that one.
  @SuppressWarnings("ReferenceEquality") // each load makes a version of its own
  boolean serves(Object version) {
    return loaded().version() == version;
  }

  /// Reads the file; false when it holds the serial that is served already.
  boolean load() throws IOException, ZoneFileException {
    Zone read = ZoneFile.read(options.file(), options.origin());
    LoadedZone before = loaded;
    if (before != null && before.zone().serial() == read.serial()) {
      return false;
    }
    loaded = new LoadedZone(read, new Object());
    return true;
  }
}
