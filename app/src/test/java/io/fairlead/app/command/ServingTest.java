package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.app.FakeAssembly;
import io.fairlead.app.Options;
import io.fairlead.app.PortTaken;
import io.fairlead.app.Progress;
import io.fairlead.app.TestOptions;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.cli.Provokes;
import io.fairlead.app.instance.Contexts;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceRecord;
import io.fairlead.app.instance.InstanceRecord.Phase;
import io.fairlead.app.text.Language;
import io.fairlead.app.text.Messages;
import io.fairlead.store.StoreException;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An instance in this process, with parts that only pretend.
class ServingTest {
  @TempDir Path temporary;
  private Path data;
  private Path kubeconfig;
  private final FakeAssembly assembly = new FakeAssembly();
  private final CommandLineHarness harness = new CommandLineHarness();

  @BeforeEach
  void paths() {
    data = temporary.resolve("data");
    kubeconfig = temporary.resolve("kubeconfig");
    harness.with("HOME", temporary.toString());
  }

  @Test
  void statusAndDownFollowItsLife() {
    assertThat(harness.run("status", "--data-dir", data.toString()).out()).contains("Not running");
    Serving serving = start();
    InstanceRecord record = record();
    assertThat(record.phase()).isEqualTo(Phase.READY);
    assertThat(record.process()).isPresent();
    assertThat(Contexts.pointsAt(kubeconfig)).contains(record.url());
    // The pretended server speaks no TLS: the process is there, the API is not.
    var sick = harness.run("status", "--data-dir", data.toString());
    assertThat(sick.exit()).isEqualTo(3);
    serving.close();
    assertThat(record().phase()).isEqualTo(Phase.STOPPED);
    var down = harness.run("down", "--data-dir", data.toString());
    assertThat(down.exit()).as(down.err()).isZero();
    assertThat(down.err()).contains("✓ stopped", "context \"fairlead\" removed", "data kept");
    assertThat(kubeconfig).doesNotExist();
    assertThat(harness.run("down", "--data-dir", data.toString()).err())
        .contains("nothing to stop");
  }

  @Test
  void purgeDeletesTheData() {
    start().close();
    var down = harness.run("down", "--purge", "--data-dir", data.toString());
    assertThat(down.exit()).as(down.err()).isZero();
    assertThat(data).doesNotExist();
  }

  @Test
  @Provokes(Code.FL214)
  void purgeDeletesNothingThatIsNotOurs() throws Exception {
    Path photos = Files.createDirectories(temporary.resolve("photos"));
    Files.writeString(photos.resolve("cat.jpg"), "cat");
    var down = harness.run("down", "--purge", "--data-dir", photos.toString());
    assertThat(down.exit()).isEqualTo(3);
    assertThat(photos.resolve("cat.jpg")).exists();
  }

  @Test
  @Provokes(Code.FL203)
  void twoOnOneDirectoryAreRefused() {
    try (Serving first = start()) {
      assertThat(first.url()).startsWith("https://127.0.0.1:");
      assertThat(failure(TestOptions.on(data)).code()).isEqualTo(Code.FL203);
    }
  }

  @Test
  @Provokes(Code.FL202)
  void aTakenPortIsRefusedAndNothingStarts() {
    try (Serving first = start()) {
      int port = record().port();
      var up =
          harness.run(
              new io.fairlead.app.cli.Shell(java.util.Map.of("doctor", DoctorCommand::new)),
              "doctor",
              "--api-port",
              "" + port,
              "--data-dir",
              temporary.resolve("b").toString());
      assertThat(up.exit()).isEqualTo(3);
      assertThat(up.out()).contains("port " + port + " is taken by java (pid ");
      Problem problem =
          catchThrowableOfType(Problem.class, () -> PortTaken.check("127.0.0.1", port));
      assertThat(problem.code()).isEqualTo(Code.FL202);
      assertThat(problem.render(Messages.of(Language.EN)))
          .contains("127.0.0.1:" + port + " is taken by java (pid ", "fairlead up --api-port ");
      assertThat(first.url()).endsWith(":" + port);
    }
  }

  @Test
  @Provokes(Code.FL227)
  void anAddressOfAnotherMachineIsRefusedAndThoseOfThisAreNamed() {
    // TEST-NET-3, which no machine has.
    Problem problem = catchThrowableOfType(Problem.class, () -> PortTaken.check("203.0.113.9", 0));
    assertThat(problem.code()).isEqualTo(Code.FL227);
    assertThat(problem.values().getFirst()).isEqualTo("203.0.113.9");
    assertThat(problem.values().getLast().toString()).contains("127.0.0.1");
  }

  @Test
  @Provokes(Code.FL204)
  void aFileIsNoDataDirectory() throws Exception {
    Files.writeString(data, "a file");
    Problem problem = failure(TestOptions.on(data));
    assertThat(problem.code()).isEqualTo(Code.FL204);
  }

  @Test
  @Provokes(Code.FL209)
  void aDamagedKubeconfigIsRefusedBeforeAnythingStarts() throws Exception {
    Files.writeString(kubeconfig, "apiVersion: v1\nclusters: [");
    Problem problem = failure(TestOptions.on(data));
    assertThat(problem.code()).isEqualTo(Code.FL209);
    assertThat(Files.readString(kubeconfig)).isEqualTo("apiVersion: v1\nclusters: [");
    assertThat(assembly.closed).isEmpty();
  }

  @Test
  void aFailedStartLeavesNoClaim() {
    assembly.storeFailure = new StoreException("torn", null);
    assertThat(failure(TestOptions.on(data)).code()).isEqualTo(Code.FL205);
    assertThat(record().phase()).isEqualTo(Phase.STOPPED);
    assembly.storeFailure = null;
    start().close();
  }

  @Test
  void aRecordOfADeadProcessIsStale() {
    start().close();
    // Same number, other start time: what a reused pid looks like.
    InstanceRecord dead =
        new InstanceRecord(
            Phase.READY,
            ProcessHandle.current().pid(),
            1,
            record().started(),
            "127.0.0.1",
            1,
            "",
            "");
    dead.write(new DataDirectory(data));
    var status = harness.run("status", "--data-dir", data.toString());
    assertThat(status.exit()).isEqualTo(3);
    assertThat(status.out()).contains("is gone without having been stopped");
    assertThat(harness.run("down", "--data-dir", data.toString()).err()).contains("had died");
    assertThat(ProcessHandle.current().isAlive()).isTrue();
  }

  @Test
  void theDirectoryIsPrivate() throws Exception {
    start().close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
        .isEqualTo("rwx------");
  }

  private Serving start() {
    return Serving.start(
        TestOptions.on(data), Optional.of(kubeconfig), assembly, Progress.SILENT, context());
  }

  private Problem failure(Options options) {
    return catchThrowableOfType(
        Problem.class,
        () ->
            Serving.start(options, Optional.of(kubeconfig), assembly, Progress.SILENT, context()));
  }

  private Context context() {
    return harness.context(new ByteArrayOutputStream(), new ByteArrayOutputStream());
  }

  private InstanceRecord record() {
    return InstanceRecord.read(new DataDirectory(data)).orElseThrow();
  }
}
