package io.fairlead.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The life of an instance as a user sees it: up, status, down, and everything that goes wrong.
@Tag("system")
class LifecycleTest {
  @TempDir Path home;

  @Test
  void upIsReadyWhenItReturnsAndDownLeavesNothing() throws Exception {
    try (FairleadCli instance = new FairleadCli(home)) {
      var up = instance.up();
      assertThat(up.exit()).as(up.out()).isZero();
      assertThat(up.out())
          .containsPattern("✓ preflight +\\d\\.\\d s\n")
          .containsPattern("✓ store and API +\\d+\\.\\d s   https://127.0.0.1:" + instance.port())
          .containsPattern("Ready in \\d+\\.\\d s\\. Context \"fairlead\" is current\\.");
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(instance.kubeconfig())))
          .isEqualTo("rw-------");
      var status = instance.status("-o", "json");
      assertThat(status.exit()).as(status.out()).isZero();
      assertThat(status.out()).contains("\"state\" : \"running\"", "\"ready\" : true");

      var again = instance.up();
      assertThat(again.exit()).isEqualTo(4);
      assertThat(again.out()).contains("(FL203)", "already runs on " + instance.data());

      long pid = pid(instance);
      var down = instance.down();
      assertThat(down.exit()).as(down.out()).isZero();
      assertThat(down.out())
          .contains("✓ stopped", "✓ port " + instance.port() + " closed", "✓ context \"fairlead\"");
      assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
      assertThat(instance.kubeconfig()).doesNotExist();
      assertThat(instance.status().exit()).isEqualTo(3);
      assertThat(instance.down("--purge").exit()).isZero();
      assertThat(instance.data()).doesNotExist();
      try (Stream<Path> left = Files.list(home)) {
        assertThat(left).containsExactly(home.resolve("bin"));
      }
    }
  }

  @Test
  void twoInstancesLiveSideBySideAndAPortIsNotShared() throws Exception {
    Path one = Files.createDirectory(home.resolve("one"));
    Path two = Files.createDirectory(home.resolve("two"));
    try (FairleadCli first = new FairleadCli(one);
        FairleadCli second = new FairleadCli(two)) {
      assertThat(first.up().exit()).isZero();
      var clash =
          second.fairlead(
              "up",
              "--api-port=" + first.port(),
              "--data-dir=" + second.data(),
              "--kubeconfig=" + second.kubeconfig());
      assertThat(clash.exit()).isEqualTo(4);
      assertThat(clash.out()).contains("(FL202)", "is taken by fairlead (pid " + pid(first));
      var elsewhere = second.up("--bind-address=127.0.0.2");
      assertThat(elsewhere.exit()).as(elsewhere.out()).isZero();
      assertThat(second.status().out()).contains("https://127.0.0.2:" + second.port() + ", ready");
      assertThat(first.status().exit()).isZero();
      assertThat(second.down().exit()).isZero();
      assertThat(first.status().exit()).isZero();
    }
  }

  @Test
  void aKilledInstanceIsNoticedAndStartsAgainWithItsData() throws Exception {
    try (FairleadCli instance = new FairleadCli(home)) {
      assertThat(instance.up().exit()).isZero();
      byte[] authority = Files.readAllBytes(instance.data().resolve("pki/ca.crt"));
      ProcessHandle process = ProcessHandle.of(pid(instance)).orElseThrow();
      process.destroyForcibly();
      process.onExit().get();
      var status = instance.status();
      assertThat(status.exit()).isEqualTo(3);
      assertThat(status.out()).contains("is gone without having been stopped");
      var up = instance.up();
      assertThat(up.exit()).as(up.out()).isZero();
      assertThat(Files.readAllBytes(instance.data().resolve("pki/ca.crt"))).isEqualTo(authority);
    }
  }

  @Test
  void aDamagedStoreIsNamedAndNotTouched() throws Exception {
    try (FairleadCli instance = new FairleadCli(home)) {
      assertThat(instance.up().exit()).isZero();
      assertThat(instance.down().exit()).isZero();
      Path file = largest(instance.data().resolve("store"));
      byte[] bytes = Files.readAllBytes(file);
      java.util.Arrays.fill(bytes, 0, Math.min(bytes.length, 8192), (byte) 0x5a);
      Files.write(file, bytes);
      var up = instance.up();
      assertThat(up.exit()).as(up.out()).isEqualTo(1);
      assertThat(up.out()).contains("(FL205)", instance.data().resolve("store").toString());
      assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    }
  }

  private static long pid(FairleadCli instance) throws IOException {
    String record = Files.readString(instance.data().resolve("instance.json"));
    return Long.parseLong(record.replaceFirst("(?s).*\"pid\":(\\d+).*", "$1"));
  }

  private static Path largest(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(Files::isRegularFile)
          .max(java.util.Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }
}
