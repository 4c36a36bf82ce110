package io.fairlead.app.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.text.Language;
import io.fairlead.app.text.MessageCatalog;
import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a start does with a disk that is full or read-only, and with files that others can read.
@Tag("system")
class DataDirectoryTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir Path home;
  private Path root;
  private DataDirectory directory;

  @BeforeEach
  void mountSmallDisk() throws IOException {
    root = Files.createDirectory(home.resolve("data"));
    run("mount", "-t", "tmpfs", "-o", "size=24m,mode=755", "small", root.toString());
    directory = new DataDirectory(root);
    directory.prepare();
    InstanceLock.take(directory).close();
    for (String name : List.of("pki/ca.key", "store/store.db", "store/store.db-wal")) {
      Path file = root.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, "content of " + name);
    }
  }

  @AfterEach
  void unmount() {
    run("umount", "--recursive", root.toString());
  }

  private static void run(String... command) {
    CommandRunner.Result result = CommandRunner.here(LIMIT).run("", List.of(command));
    assertThat(result.exit()).as(result.error()).isZero();
  }

  private String refused(ThrowingCallable start) throws IOException {
    Map<String, String> before = content();
    FairleadException problem = catchThrowableOfType(FairleadException.class, start);
    assertThat(problem.code()).isEqualTo(ErrorCode.FL204);
    assertThat(problem.code().exit()).isEqualTo(ExitCode.PREFLIGHT_REFUSED);
    assertThat(content()).as("nothing is lost and nothing left").isEqualTo(before);
    assertThat(problem.render(MessageCatalog.of(Language.ZH_CN))).contains(root.toString());
    return problem.render(MessageCatalog.of(Language.EN));
  }

  private Map<String, String> content() throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path one : all.toList()) {
        content.put(
            one.toString(),
            Files.isRegularFile(one) && Files.size(one) < 1000 ? Files.readString(one) : "");
      }
    }
    return content;
  }

  @Test
  void aFullDiskIsNamedAndUsedAgainWhenThereIsSpace() throws IOException {
    Path filler = home.resolve("data/filler");
    CommandRunner.here(LIMIT)
        .run("", List.of("dd", "if=/dev/zero", "of=" + filler, "bs=1M", "count=100"));
    assertThat(refused(directory::prepare))
        .contains(
            "cannot use the data directory " + root,
            "its file system is full: less than 8 MiB are free",
            "free space on the file system of " + root);
    Files.delete(filler);
    directory.prepare();
    assertThat(root.resolve("pki/ca.key")).hasContent("content of pki/ca.key");
  }

  @Test
  void aReadOnlyDiskIsNamed() throws IOException {
    run("mount", "-o", "remount,ro", root.toString());
    for (ThrowingCallable start :
        List.<ThrowingCallable>of(directory::prepare, () -> InstanceLock.take(directory))) {
      assertThat(refused(start))
          .contains(
              "cannot use the data directory " + root,
              "its file system is read-only",
              "mount the file system of " + root + " writable");
    }
  }

  @Test
  void aReadOnlyFileIsNamed() throws IOException {
    String file = root.resolve("store/store.db").toString();
    run("mount", "-o", "bind,ro", file, file);
    assertThat(refused(directory::prepare))
        .contains(file + " is not writable", "choose another one with --data-dir");
  }

  @Test
  void whatIsOpenToOthersIsClosed() throws IOException {
    List<String> ours = List.of("", "pki", "store", "logs");
    for (String name : ours) {
      Files.setPosixFilePermissions(
          root.resolve(name), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    directory.prepare();
    for (String name : ours) {
      assertThat(mode(root.resolve(name))).as(name).isEqualTo("rwx------");
    }
  }

  @Test
  void aDirectoryOfOthersStaysAsItIs() throws IOException {
    Path shared = Files.createDirectory(home.resolve("shared"));
    Files.writeString(shared.resolve("theirs"), "");
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
    new DataDirectory(shared).prepare();
    assertThat(mode(shared)).isEqualTo("rwxr-xr-x");
    assertThat(mode(shared.resolve("logs"))).isEqualTo("rwx------");
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
