package io.fairlead.app.hoststate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FixedSysctlsTest {
  private static final String FORWARD = "net/ipv4/ip_forward";

  @TempDir Path temporary;
  private Path forward;
  private FixedSysctls settings;

  @BeforeEach
  void kernel() throws IOException {
    forward = temporary.resolve("sys").resolve(FORWARD);
    Files.createDirectories(forward.getParent());
    Files.writeString(forward, "0\n");
    settings = again();
  }

  /// Another process on the same data directory.
  private FixedSysctls again() {
    return FixedSysctls.of(temporary.resolve("mended.json"), temporary.resolve("sys"));
  }

  @Test
  void whatWasSetIsPutBackByAnotherProcess() throws IOException {
    settings.set(FORWARD, "1");
    assertThat(settings.value(FORWARD)).contains("1");
    assertThat(again().undo()).containsExactly("net.ipv4.ip_forward=0");
    assertThat(forward).hasContent("0");
    assertThat(again().undo()).as("only once").isEmpty();
  }

  @Test
  void settingTwiceKeepsTheFirstValue() throws IOException {
    settings.set(FORWARD, "1");
    again().set(FORWARD, "2");
    assertThat(again().undo()).containsExactly("net.ipv4.ip_forward=0");
  }

  @Test
  void whatOthersChangedSinceIsTheirs() throws IOException {
    settings.set(FORWARD, "1");
    Files.writeString(forward, "2");
    assertThat(again().undo()).isEmpty();
    assertThat(forward).hasContent("2");
  }

  @Test
  void aRecordOfBeforeTheLastStartOfTheMachineIsForgotten() throws IOException {
    settings.set(FORWARD, "1");
    Path record = temporary.resolve("mended.json");
    Files.writeString(
        record, Files.readString(record).replace(NetworkSnapshot.thisBoot(), "another-boot"));
    assertThat(again().undo()).isEmpty();
    assertThat(record).doesNotExist();
    assertThat(forward).hasContent("1");
  }

  @Test
  void aSettingThatThisKernelLacksIsNone() {
    assertThat(settings.value("net/absent")).isEmpty();
    assertThatThrownBy(() -> settings.set("net/absent", "1"))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(temporary.resolve("mended.json")).doesNotExist();
  }
}
