package io.fairlead.dns.file;

import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.ResourceRecord;
import io.fairlead.dns.zonefile.MasterFile;
import io.fairlead.dns.zonefile.ZoneFileException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Reads a zone from disk.
final class ZoneFile {
  private ZoneFile() {}

  static Zone read(Path file, Name origin) throws IOException, ZoneFileException {
    Path directory = file.toAbsolutePath().getParent();
    List<ResourceRecord> records =
        MasterFile.read(
            text(file),
            origin,
            name -> text(directory == null ? Path.of(name) : directory.resolve(name)));
    return Zone.of(origin, records);
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
