package io.fairlead.app.instance;

import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.text.Phrase;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where one instance keeps everything: store, keys, log, lock and the record of its process.
///
/// @param root its path, absolute
public record DataDirectory(Path root) {
  private static final Logger log = LoggerFactory.getLogger(DataDirectory.class);
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  /// What a first start writes: the store and its log of changes, keys, certificates.
  private static final long LEAST_SPACE = 8 << 20;

  private static final int PROBE_SIZE = 64 << 10;

  /// The directory of root who names none.
  public static final DataDirectory OF_ROOT = new DataDirectory(Path.of("/var/lib/fairlead"));

  /// The directory of a user who names none: `/var/lib/fairlead` for root, else below the home.
  public static DataDirectory standard(Map<String, String> environment) {
    if (ProcessFacts.effectiveUser() == 0) {
      return OF_ROOT;
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

  /// The logs of single components, as the pods that show them have them.
  public Path componentLogs() {
    return root.resolve("logs").resolve("components");
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
  public Path podApi() {
    return root.resolve("pod-api");
  }

  /// What components recorded, for `history` after a restart.
  public Path history() {
    return root.resolve("history");
  }

  /// The record of the load balancer addresses that only this machine has.
  public Path loadBalancer() {
    return root.resolve("load-balancer");
  }

  /// The program that tells routers of load balancer addresses: its settings, socket and log.
  public Path bird() {
    return loadBalancer().resolve("bird");
  }

  /// There while its instance runs in a lab.
  public Path lab() {
    return root.resolve("lab");
  }

  /// Where the service proxy takes orders.
  public Path proxySocket() {
    return root.resolve("proxy.sock");
  }

  /// How the JVM of the instance was last started.
  public Path jvmFlags() {
    return root.resolve("jvm.flags");
  }

  public Path record() {
    return root.resolve("instance.json");
  }

  /// Whose directory it is, where this user may not look into it. What is in it would pass for
  /// absent.
  public Optional<String> closedBy() {
    if (!Files.isDirectory(root) || (Files.isReadable(root) && Files.isExecutable(root))) {
      return Optional.empty();
    }
    try {
      return Optional.of(Files.getOwner(root).getName());
    } catch (IOException e) {
      return Optional.of("?");
    }
  }

  /// Makes the directory, readable by its owner only, where it is missing; closes to others what is
  /// open; refuses one that cannot be used. Nothing that is in it changes.
  public void prepare() {
    try {
      if (Files.exists(root) && !Files.isDirectory(root)) {
        throw unusable(Phrase.of("why.notdirectory"), next());
      }
      if (!Files.exists(root)) {
        Path parent = root.getParent();
        if (parent != null) {
          Files.createDirectories(parent);
        }
        Files.createDirectory(root, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      }
      requireSpace();
      tighten();
      Files.createDirectories(
          root.resolve("logs"), PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      probe();
      requireWritable();
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /// Closes to others what is open to them. The directory itself only if it is known to be ours:
  /// `--data-dir` may name one that other programs use.
  private void tighten() throws IOException {
    if (OWNER_ONLY.containsAll(Files.getPosixFilePermissions(root))) {
      return;
    }
    List<Path> open =
        new ArrayList<>(List.of(pki(), store(), root.resolve("logs"), agent(), dns()));
    if (Files.exists(lock()) || isEmpty()) {
      open.addFirst(root);
    }
    for (Path path : open) {
      if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
          && !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(path))) {
        Files.setPosixFilePermissions(path, OWNER_ONLY);
        log.atWarn().addKeyValue("path", path).log("was open to others, closed it");
      }
    }
  }

  private boolean isEmpty() throws IOException {
    try (Stream<Path> content = Files.list(root)) {
      return content.findAny().isEmpty();
    }
  }

  private void requireSpace() throws IOException {
    if (Files.getFileStore(root).getUsableSpace() < LEAST_SPACE) {
      throw noSpace(null);
    }
  }

  /// Writes for a moment. Asking for the permission bits would believe root, and a read-only file
  /// system; asking for space knows no quota.
  private void probe() throws IOException {
    Path probe = Files.createTempFile(root, "probe", "");
    try {
      Files.write(probe, new byte[PROBE_SIZE], StandardOpenOption.SYNC);
    } finally {
      Files.delete(probe);
    }
  }

  /// The files that every instance writes.
  private void requireWritable() throws IOException {
    List<Path> files = new ArrayList<>(List.of(lock(), record(), log(), jvmFlags()));
    if (Files.isDirectory(store())) {
      try (Stream<Path> content = Files.list(store())) {
        content.forEach(files::add);
      }
    }
    for (Path file : files) {
      if (Files.isRegularFile(file) && !Files.isWritable(file)) {
        throw unusable(Phrase.of("why.filenotwritable", file), next());
      }
    }
  }

  /// What is wrong with the directory when its files cannot be used.
  FairleadException unusable(IOException e) {
    try {
      Path there = root;
      while (!Files.exists(there) && there.getParent() != null) {
        there = there.getParent();
      }
      FileStore disk = Files.getFileStore(there);
      if (disk.isReadOnly()) {
        return unusable(Phrase.of("why.readonly"), Phrase.of("next.readonly", root));
      }
      if (disk.getUsableSpace() < LEAST_SPACE) {
        return noSpace(e);
      }
    } catch (IOException unknown) {
      e.addSuppressed(unknown);
    }
    return new FairleadException(ErrorCode.FL204, e, root, reason(e), next());
  }

  private FairleadException noSpace(@Nullable IOException e) {
    Phrase why = Phrase.of("why.nospace", LEAST_SPACE >> 20);
    Phrase next = Phrase.of("next.nospace", root);
    return e == null
        ? unusable(why, next)
        : new FairleadException(ErrorCode.FL204, e, root, why, next);
  }

  private FairleadException unusable(Phrase why, Phrase next) {
    return new FairleadException(ErrorCode.FL204, root, why, next);
  }

  private Phrase next() {
    return Phrase.of("next.notwritable", root, System.getProperty("user.name", "?"));
  }

  /// The reason inside an I/O exception, whose message is often only the path.
  private static Object reason(IOException e) {
    return e instanceof java.nio.file.AccessDeniedException
        ? Phrase.of("why.notwritable")
        : e instanceof java.nio.file.FileSystemException system && system.getReason() != null
            ? system.getReason()
            : e instanceof java.nio.file.FileAlreadyExistsException
                ? Phrase.of("why.notdirectory")
                : String.valueOf(e.getMessage());
  }
}
