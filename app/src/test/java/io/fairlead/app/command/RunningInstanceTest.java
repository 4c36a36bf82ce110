package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.app.BindErrors;
import io.fairlead.app.FakeComponentFactory;
import io.fairlead.app.Options;
import io.fairlead.app.Progress;
import io.fairlead.app.TestOptions;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Provokes;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceRecord;
import io.fairlead.app.instance.InstanceRecord.Phase;
import io.fairlead.app.instance.UserKubeconfigContext;
import io.fairlead.app.text.Language;
import io.fairlead.app.text.MessageCatalog;
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
class RunningInstanceTest {
  @TempDir Path temporary;
  private Path data;
  private Path kubeconfig;
  private final FakeComponentFactory assembly = new FakeComponentFactory();
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
    RunningInstance serving = start();
    InstanceRecord record = record();
    assertThat(record.phase()).isEqualTo(Phase.READY);
    assertThat(record.process()).isPresent();
    assertThat(UserKubeconfigContext.pointsAt(kubeconfig)).contains(record.url());
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
  @Provokes(ErrorCode.FL214)
  void purgeDeletesNothingThatIsNotOurs() throws Exception {
    Path photos = Files.createDirectories(temporary.resolve("photos"));
    Files.writeString(photos.resolve("cat.jpg"), "cat");
    var down = harness.run("down", "--purge", "--data-dir", photos.toString());
    assertThat(down.exit()).isEqualTo(3);
    assertThat(photos.resolve("cat.jpg")).exists();
  }

  @Test
  @Provokes(ErrorCode.FL203)
  void twoOnOneDirectoryAreRefused() {
    try (RunningInstance first = start()) {
      assertThat(first.url()).startsWith("https://127.0.0.1:");
      assertThat(failure(TestOptions.on(data)).code()).isEqualTo(ErrorCode.FL203);
    }
  }

  @Test
  @Provokes(ErrorCode.FL202)
  void aTakenPortIsRefusedAndNothingStarts() {
    try (RunningInstance first = start()) {
      int port = record().port();
      var up =
          harness.run(
              new io.fairlead.app.cli.CommandDispatcher(
                  java.util.Map.of("doctor", DoctorCommand::new)),
              "doctor",
              "--api-port",
              "" + port,
              "--data-dir",
              temporary.resolve("b").toString());
      assertThat(up.exit()).isEqualTo(3);
      assertThat(up.out()).contains("port " + port + " is taken by java (pid ");
      FairleadException problem =
          catchThrowableOfType(FairleadException.class, () -> BindErrors.check("127.0.0.1", port));
      assertThat(problem.code()).isEqualTo(ErrorCode.FL202);
      assertThat(problem.render(MessageCatalog.of(Language.EN)))
          .contains("127.0.0.1:" + port + " is taken by java (pid ", "fairlead up --api-port ");
      assertThat(first.url()).endsWith(":" + port);
    }
  }

  @Test
  @Provokes(ErrorCode.FL227)
  void anAddressOfAnotherMachineIsRefusedAndThoseOfThisAreNamed() {
    // TEST-NET-3, which no machine has.
    FairleadException problem =
        catchThrowableOfType(FairleadException.class, () -> BindErrors.check("203.0.113.9", 0));
    assertThat(problem.code()).isEqualTo(ErrorCode.FL227);
    assertThat(problem.values().getFirst()).isEqualTo("203.0.113.9");
    assertThat(problem.values().getLast().toString()).contains("127.0.0.1");
  }

  @Test
  @Provokes(ErrorCode.FL204)
  void aFileIsNoDataDirectory() throws Exception {
    Files.writeString(data, "a file");
    FairleadException problem = failure(TestOptions.on(data));
    assertThat(problem.code()).isEqualTo(ErrorCode.FL204);
  }

  @Test
  @Provokes(ErrorCode.FL209)
  void aDamagedKubeconfigIsRefusedBeforeAnythingStarts() throws Exception {
    Files.writeString(kubeconfig, "apiVersion: v1\nclusters: [");
    FairleadException problem = failure(TestOptions.on(data));
    assertThat(problem.code()).isEqualTo(ErrorCode.FL209);
    assertThat(Files.readString(kubeconfig)).isEqualTo("apiVersion: v1\nclusters: [");
    assertThat(assembly.closed).isEmpty();
  }

  @Test
  void aFailedStartLeavesNoClaim() {
    assembly.storeFailure = new StoreException("torn", null);
    assertThat(failure(TestOptions.on(data)).code()).isEqualTo(ErrorCode.FL205);
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

  private RunningInstance start() {
    return RunningInstance.start(
        TestOptions.on(data), Optional.of(kubeconfig), assembly, Progress.SILENT, context());
  }

  private FairleadException failure(Options options) {
    return catchThrowableOfType(
        FairleadException.class,
        () ->
            RunningInstance.start(
                options, Optional.of(kubeconfig), assembly, Progress.SILENT, context()));
  }

  private CommandContext context() {
    return harness.context(new ByteArrayOutputStream(), new ByteArrayOutputStream());
  }

  private InstanceRecord record() {
    return InstanceRecord.read(new DataDirectory(data)).orElseThrow();
  }
}
