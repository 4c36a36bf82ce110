package io.fairlead.store.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.OSInfo;

/// Puts SQLite's native library into the store's own directory before the driver looks for it.
///
/// Left alone, the driver unpacks a fresh copy into the temporary directory at every start and,
/// when the process is killed, leaves it there. One copy per version in the data directory is
/// written once, found again at the next start, and goes when the directory goes.
final class NativeLibrary {
  private static final Logger log = LoggerFactory.getLogger(NativeLibrary.class);
  private static final String PATH = "org.sqlite.lib.path";
  private static final String NAME = "org.sqlite.lib.name";
  private static final String FILE = "libsqlitejdbc.so";
  private static boolean prepared;

  private NativeLibrary() {}

  /// Prepares the library for this process; later calls do nothing. When it cannot be done (disk
  /// full, strange platform) the driver falls back to its own way.
  static synchronized void prepare(Path directory) {
    if (prepared || System.getProperty(PATH) != null) {
      return;
    }
    prepared = true;
    Path target = directory.resolve("native").resolve("sqlite-" + SQLiteJDBCLoader.getVersion());
    try {
      if (Files.exists(target.resolve(FILE)) || unpack(target)) {
        System.setProperty(PATH, target.toString());
        System.setProperty(NAME, FILE);
      }
    } catch (IOException e) {
      log.atWarn()
          .addKeyValue("directory", target)
          .setCause(e)
          .log("SQLite's library not unpacked");
    }
  }

  /// False where the driver has no library for this platform.
  private static boolean unpack(Path target) throws IOException {
    String resource = "/org/sqlite/native/" + platform() + "/" + FILE;
    try (InputStream library = SQLiteJDBCLoader.class.getResourceAsStream(resource)) {
      if (library == null) {
        return false;
      }
      Files.createDirectories(target);
      Path part = target.resolve(FILE + ".part");
      Files.copy(library, part, StandardCopyOption.REPLACE_EXISTING);
      try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Files.move(part, target.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
      return true;
    }
  }

  /// The driver would run a program to learn that this is no telephone; where the C library of this
  /// process is the common one, that is known already.
  private static String platform() throws IOException {
    String processor = System.getProperty("os.arch", "");
    boolean common =
        System.getProperty("os.name", "").equals("Linux")
            && Files.readString(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1)
                .contains("/libc.so.6");
    return switch (common ? processor : "") {
      case "amd64" -> "Linux/x86_64";
      case "aarch64" -> "Linux/aarch64";
      default -> OSInfo.getNativeLibFolderPathForCurrentOS();
    };
  }
}
