package io.fairlead.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.Provokes;
import io.fairlead.store.Write;
import io.fairlead.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an operator does with the files of a store.
class StoreCommandTest {
  @TempDir Path home;
  private Path data;

  @BeforeEach
  void makeStore() {
    data = home.resolve("data");
    try (EmbeddedStore store = EmbeddedStore.open(data.resolve("store"))) {
      store.commit(List.of(new Write.Put("/registry/a", "{}".getBytes(UTF_8), Write.ABSENT)));
    }
  }

  @Test
  void aSoundStoreIsCalledSoAndPrinted() {
    assertThat(run("check").exit()).isZero();
    assertThat(run("check").out())
        .isEqualTo("The store in " + data.resolve("store") + " is sound.\n");
    assertThat(run("dump").out()).matches("/registry/a\\t\\d+\\t\\{}\n");
  }

  @Test
  void damageIsFound() throws IOException {
    Path file;
    try (var files = Files.list(data.resolve("store"))) {
      file = files.filter(each -> each.toString().endsWith(".db")).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(file);
    for (int i = 4096; i < bytes.length; i++) {
      bytes[i] ^= 0x55;
    }
    Files.write(file, bytes);
    var result = run("check");
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out())
        .startsWith("The store in " + data.resolve("store") + " is damaged:\n  ");
  }

  @Test
  void aCopyComesBackElsewhere() {
    Path copy = home.resolve("copy");
    assertThat(run("backup", "--file", copy.toString()).exit()).isZero();
    Path other = home.resolve("other");
    var restored =
        new CommandLineHarness()
            .run("store", "restore", "--data-dir", other.toString(), "--file", copy.toString());
    assertThat(restored.exit()).as(restored.err()).isZero();
    assertThat(new CommandLineHarness().run("store", "dump", "--data-dir", other.toString()).out())
        .startsWith("/registry/a\t");
  }

  @Test
  @Provokes(ErrorCode.FL220)
  void nothingIsWrittenOver() {
    Path copy = home.resolve("copy");
    assertThat(run("backup", "--file", copy.toString()).exit()).isZero();
    var again = run("backup", "--file", copy.toString());
    assertThat(again.exit()).isEqualTo(ExitCode.COULD_NOT);
    assertThat(again.err()).contains("(FL220)", "exists");
    var over = run("restore", "--file", copy.toString());
    assertThat(over.err()).contains("(FL220)", "holds a store already");
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThat(run("polish").err()).contains("(FL308)", "check, dump, backup, restore");
    assertThat(run("backup").err()).contains("(FL302)", "--file");
    var nowhere =
        new CommandLineHarness()
            .run("store", "check", "--data-dir", home.resolve("nowhere").toString());
    assertThat(nowhere.exit()).isEqualTo(ExitCode.COULD_NOT);
    assertThat(nowhere.err()).contains("(FL220)", "there is no store in ");
    assertThat(home.resolve("nowhere")).doesNotExist();
  }

  private CommandLineHarness.Result run(String action, String... more) {
    String[] words = new String[4 + more.length];
    words[0] = "store";
    words[1] = action;
    words[2] = "--data-dir";
    words[3] = data.toString();
    System.arraycopy(more, 0, words, 4, more.length);
    return new CommandLineHarness().run(words);
  }
}
