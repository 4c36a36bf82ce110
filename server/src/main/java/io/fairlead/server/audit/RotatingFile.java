package io.fairlead.server.audit;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A file of lines that is set aside when it has grown too large. Readable by its owner only. Used
/// by one thread.
final class RotatingFile {
  private static final Logger log = LoggerFactory.getLogger(RotatingFile.class);

  private final Path path;
  private final long maxBytes;
  private final int backups;
  private OutputStream out;
  private long size;

  private RotatingFile(Path path, long maxBytes, int backups) throws IOException {
    this.path = path;
    this.maxBytes = maxBytes;
    this.backups = backups;
    this.out = append(path);
    this.size = Files.size(path);
  }

  static RotatingFile open(Path path, long maxBytes, int backups) throws IOException {
    Path parent = path.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    return new RotatingFile(path.toAbsolutePath(), maxBytes, backups);
  }

  void writeLine(byte[] line) throws IOException {
    if (size > 0 && size + line.length + 1 > maxBytes) {
      rotate();
    }
    out.write(line);
    out.write('\n');
    size += line.length + 1;
  }

  void flush() throws IOException {
    out.flush();
  }

  void close() {
    try {
      out.close();
    } catch (IOException e) {
      log.atWarn().addKeyValue("file", path).setCause(e).log("could not be closed");
    }
  }

  private void rotate() throws IOException {
    out.close();
    for (int i = backups; i >= 1; i--) {
      Path from = i == 1 ? path : backup(i - 1);
      if (Files.exists(from)) {
        Files.move(from, backup(i), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (backups == 0) {
      Files.delete(path);
    }
    out = append(path);
    size = 0;
  }

  private Path backup(int number) {
    return path.resolveSibling(path.getFileName() + "." + number);
  }

  private static OutputStream append(Path path) throws IOException {
    FileChannel channel =
        FileChannel.open(
            path,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return new BufferedOutputStream(Channels.newOutputStream(channel));
  }
}
