package io.fairlead.dns.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Rig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadPluginTest {
  @TempDir private Path directory;

  private Rig rig(Path file) throws SetupException {
    Rig rig = new Rig("reload 10s 2s", Rig.refusing());
    rig.corefile = file;
    return rig.start();
  }

  /// Lets the plugin look once.
  private static void look(Rig rig) {
    await().atMost(Duration.ofMinutes(1)).until(() -> rig.time().sleepers() == 1);
    rig.time().advance(Duration.ofSeconds(12));
    await().atMost(Duration.ofMinutes(1)).until(() -> rig.time().sleepers() == 1);
  }

  @Test
  void onlyChangedWordsAreReloadedAndABadFileOnlyOnce() throws Exception {
    Path file = directory.resolve("Corefile");
    Files.writeString(file, ". {\n errors\n}\n");
    try (Rig rig = rig(file)) {
      rig.reloadWorks = false;
      look(rig);
      Files.writeString(file, "# why\n. {\n errors\n}\n");
      look(rig);
      assertThat(rig.reloads).hasValue(0);
      Files.writeString(file, ". {\n errors\n log\n");
      look(rig);
      assertThat(rig.reloads).hasValue(1);
      look(rig);
      assertThat(rig.reloads).hasValue(1);
      rig.reloadWorks = true;
      Files.writeString(file, ". {\n log\n}\n");
      await().atMost(Duration.ofMinutes(1)).until(() -> rig.time().sleepers() == 1);
      rig.time().advance(Duration.ofSeconds(12));
      await().atMost(Duration.ofMinutes(1)).until(() -> rig.reloads.get() == 2);
    }
  }

  @Test
  void importsCount() throws IOException, SetupException {
    Path file = directory.resolve("Corefile");
    Path part = directory.resolve("part");
    Files.writeString(file, ". {\n import part\n}\n");
    Files.writeString(part, "errors\n");
    try (Rig rig = rig(file)) {
      rig.reloadWorks = false;
      look(rig);
      Files.writeString(part, "log\n");
      look(rig);
      assertThat(rig.reloads).hasValue(1);
    }
  }

  @Test
  void mistakesAreNamed() throws SetupException {
    assertThatThrownBy(() -> new Rig("reload 1s", Rig.refusing()))
        .hasMessageContaining("at least 2s");
    assertThatThrownBy(() -> new Rig("reload 10s 0s", Rig.refusing()))
        .hasMessageContaining("at least 1s");
    new Rig("reload off", Rig.refusing()).start().close();
  }
}
