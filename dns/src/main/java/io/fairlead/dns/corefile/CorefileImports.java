package io.fairlead.dns.corefile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The files a Corefile may import.
public interface CorefileImports {
  /// The text of a file.
  String read(Path file) throws IOException;

  /// The files a pattern names, sorted; a pattern has one `*` in its last part. Empty when the
  /// directory is missing or nothing fits.
  List<Path> matching(Path pattern) throws IOException;

  /// The files of this machine; one larger than a Corefile can sensibly be is refused.
  static CorefileImports files() {
    return new OnDisk();
  }

  /// See [#files].
  final class OnDisk implements CorefileImports {
    private static final long MOST_BYTES = 4L << 20;

    @Override
    public String read(Path file) throws IOException {
      if (Files.size(file) > MOST_BYTES) {
        throw new IOException("larger than " + MOST_BYTES + " bytes");
      }
      return Files.readString(file, StandardCharsets.UTF_8);
    }

    @Override
    public List<Path> matching(Path pattern) throws IOException {
      Path directory = pattern.toAbsolutePath().getParent();
      Path name = pattern.getFileName();
      List<Path> found = new ArrayList<>();
      if (directory == null || name == null || !Files.isDirectory(directory)) {
        return found;
      }
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, name.toString())) {
        for (Path file : files) {
          if (Files.isRegularFile(file)) {
            found.add(file);
          }
        }
      }
      Collections.sort(found);
      return found;
    }
  }
}
