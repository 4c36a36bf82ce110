package io.fairlead.app.instance;

import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.text.Phrase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/// Where one instance keeps everything: store, keys, log, lock and the record of its process.
///
/// @param root its path, absolute
public record DataDirectory(Path root) {

  /// The directory of a user who names none: `/var/lib/fairlead` for root, else below the home.
  public static DataDirectory standard(Map<String, String> environment) {
    if (ProcessFacts.effectiveUser() == 0) {
      return new DataDirectory(Path.of("/var/lib/fairlead"));
    }
    String shared = environment.getOrDefault("XDG_DATA_HOME", "");
    Path base =
        shared.isEmpty()
            ? Path.of(environment.getOrDefault("HOME", "/"), ".local", "share")
            : Path.of(shared);
    return new DataDirectory(base.resolve("fairlead"));
  }

  public Path pki() {
    return root.resolve("pki");
  }

  public Path store() {
    return root.resolve("store");
  }

  public Path log() {
    return root.resolve("logs").resolve("fairlead.log");
  }

  public Path lock() {
    return root.resolve("fairlead.lock");
  }

  /// What belongs to the node's agent.
  public Path agent() {
    return root.resolve("agent");
  }

  /// What belongs to the DNS server.
  public Path dns() {
    return root.resolve("dns");
  }

  /// The record of the address at which pods reach the API.
  public Path podDoor() {
    return root.resolve("pod-door");
  }

  /// There while its instance runs in a lab.
  public Path lab() {
    return root.resolve("lab");
  }

  /// Where the service proxy takes orders.
  public Path proxySocket() {
    return root.resolve("proxy.sock");
  }

  public Path record() {
    return root.resolve("instance.json");
  }

  /// Makes the directory, for nobody else to read, where it is missing; refuses one that cannot be
  /// used.
  public void prepare() {
    try {
      if (Files.exists(root) && !Files.isDirectory(root)) {
        throw unusable(Phrase.of("why.notdirectory"));
      }
      if (!Files.exists(root)) {
        Path parent = root.getParent();
        if (parent != null) {
          Files.createDirectories(parent);
        }
        Files.createDirectory(
            root,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      Files.createDirectories(root.resolve("logs"));
      // Asking for the permission bits would believe root, and a read-only file system.
      Files.delete(Files.createTempFile(root, "probe", ""));
    } catch (IOException e) {
      throw new Problem(Code.FL204, e, root, reason(e), System.getProperty("user.name", "?"));
    }
  }

  private Problem unusable(Object why) {
    return new Problem(Code.FL204, root, why, System.getProperty("user.name", "?"));
  }

  /// The reason inside an I/O exception, whose message is often only the path.
  static Object reason(IOException e) {
    return e instanceof java.nio.file.AccessDeniedException
        ? Phrase.of("why.notwritable")
        : e instanceof java.nio.file.FileSystemException system && system.getReason() != null
            ? system.getReason()
            : e instanceof java.nio.file.FileAlreadyExistsException
                ? Phrase.of("why.notdirectory")
                : String.valueOf(e.getMessage());
  }
}
