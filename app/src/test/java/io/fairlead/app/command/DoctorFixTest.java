package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.CommandLineHarness.Result;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.app.hoststate.FixedSysctls;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorFixTest {
  private static final String FORWARD = "net/ipv4/ip_forward";
  private static final long NEVER_A_PROCESS = 1L << 40;

  @TempDir Path temporary;
  private final CommandLineHarness harness = new CommandLineHarness();

  private DataDirectory directory() {
    return new DataDirectory(temporary.resolve("data"));
  }

  private Path kernel() throws IOException {
    Path kernel = temporary.resolve("sys");
    Files.createDirectories(kernel.resolve(FORWARD).getParent());
    Files.writeString(kernel.resolve(FORWARD), "0\n");
    return kernel;
  }

  private List<DoctorFinding> look(Path kernel, boolean mayChange) {
    return look(kernel, mayChange, Bridges.NONE);
  }

  private List<DoctorFinding> look(Path kernel, boolean mayChange, Bridges bridges) {
    CommandContext context =
        harness.context(new ByteArrayOutputStream(), new ByteArrayOutputStream());
    return new SettingsCheckup(
            context,
            directory(),
            FixedSysctls.of(directory().root().resolve("mended.json"), kernel),
            mayChange,
            bridges)
        .run();
  }

  @Test
  void aSwitchThatIsOffIsAWarningThatCanBeMended() throws IOException {
    Path kernel = kernel();
    List<DoctorFinding> findings = look(kernel, true);
    assertThat(findings).hasSize(1);
    assertThat(findings.getFirst().mark()).isEqualTo(Mark.WARNING);
    assertThat(findings.getFirst().text()).startsWith("net.ipv4.ip_forward=0: ");
    DoctorFinding done = findings.getFirst().remedy().orElseThrow().apply();
    assertThat(done.mark()).isEqualTo(Mark.GOOD);
    assertThat(done.text()).isEqualTo("net.ipv4.ip_forward=1, was 0; `down` puts it back");
    assertThat(kernel.resolve(FORWARD)).hasContent("1");
    assertThat(look(kernel, true).getFirst().remedy()).isEmpty();
  }

  @Test
  void n71ABridgeThatAsksNoRulesIsNamed() throws IOException {
    Path kernel = kernel();
    Path four = kernel.resolve("net/bridge/bridge-nf-call-iptables");
    Path six = kernel.resolve("net/bridge/bridge-nf-call-ip6tables");
    Files.createDirectories(four.getParent());
    Files.writeString(four, "0\n");
    Files.writeString(six, "1\n");
    assertThat(look(kernel, true)).as("no bridge, no matter").hasSize(1);
    List<DoctorFinding> findings =
        look(kernel, true, new Bridges(List.of("cni0"), List.of("cni0")));
    assertThat(findings).hasSize(3);
    assertThat(findings.get(1).mark()).isEqualTo(Mark.WARNING);
    assertThat(findings.get(1).text())
        .startsWith("net.bridge.bridge-nf-call-iptables=0: pods behind cni0 ");
    assertThat(findings.get(2).mark()).isEqualTo(Mark.GOOD);
    findings.get(1).remedy().orElseThrow().apply();
    assertThat(four).hasContent("1");
  }

  @Test
  void withoutTheRightsItOnlySaysWhatItWouldDo() throws IOException {
    Path kernel = kernel();
    DoctorFinding said = look(kernel, false).getFirst().remedy().orElseThrow().apply();
    assertThat(said.text()).contains("would do", "net.ipv4.ip_forward=1");
    assertThat(kernel.resolve(FORWARD)).hasContent("0");
    assertThat(directory().root()).doesNotExist();
  }

  @Test
  void itCleansUpAfterAProcessThatDied() {
    directory().prepare();
    new InstanceRecord(
            InstanceRecord.Phase.READY, NEVER_A_PROCESS, 1, Instant.EPOCH, "127.0.0.1", 1, "", "")
        .write(directory());
    Result without = doctor();
    assertThat(without.out()).contains("a process that died left");
    assertThat(directory().record()).exists();
    // Of the kernel's settings nothing is touched here: this test may run as root.
    DoctorFinding cleaned =
        new Checkup(
                harness.context(new ByteArrayOutputStream(), new ByteArrayOutputStream()),
                directory(),
                0)
            .run().stream()
                .filter(finding -> finding.row().equals("leftovers"))
                .findFirst()
                .orElseThrow()
                .remedy()
                .orElseThrow()
                .apply();
    assertThat(cleaned.mark()).isEqualTo(Mark.GOOD);
    assertThat(cleaned.text()).contains("cleaned up", "pid " + NEVER_A_PROCESS);
    assertThat(directory().record()).doesNotExist();
    assertThat(doctor().out()).contains("no leftovers");
  }

  private Result doctor() {
    return harness.run("doctor", "--data-dir=" + directory().root(), "--api-port=0");
  }
}
