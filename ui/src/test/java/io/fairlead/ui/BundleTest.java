package io.fairlead.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.ui.asset.Assets;
import io.fairlead.ui.asset.BundleManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// The committed files of the page are those that the committed sources build.
class BundleTest {
  private static final Path WEB = Path.of("web");
  private static final Path BUILT = Path.of("src/main/resources/io/fairlead/ui/web");
  private static final int MOST_BUILT = 120_000;
  private static final int MOST_BYTES = 300_000;

  @TempDir Path directory;

  private static BundleManifest written() throws IOException {
    return BundleManifest.read(Files.readAllBytes(BUILT.resolve("bundle.json")));
  }

  @Test
  void thePageIsBuiltFromItsSources() throws IOException {
    assertThat(written()).as("run ./dev ui").isEqualTo(BundleManifest.of(WEB, BUILT));
  }

  @ParameterizedTest(name = "vector 43: {0} changed")
  @ValueSource(strings = {"web/src/main.ts", "web/package-lock.json", "built/app.js"})
  void oneChangedByteIsNoticed(String file) throws IOException {
    copy(WEB.resolve("src"), directory.resolve("web/src"));
    for (String name :
        List.of(
            "index.html",
            "package.json",
            "package-lock.json",
            "vite.config.ts",
            "tsconfig.json",
            "svelte.config.js")) {
      Files.copy(WEB.resolve(name), directory.resolve("web").resolve(name));
    }
    copy(WEB.resolve("public"), directory.resolve("web/public"));
    copy(BUILT, directory.resolve("built"));
    BundleManifest before = BundleManifest.of(directory.resolve("web"), directory.resolve("built"));
    assertThat(before).isEqualTo(written());
    Files.writeString(directory.resolve(file), " ", StandardOpenOption.APPEND);
    assertThat(BundleManifest.of(directory.resolve("web"), directory.resolve("built")))
        .isNotEqualTo(before);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  @Test
  void itIsSmall() {
    Assets assets = Assets.load();
    int built =
        Stream.of("", "app.js", "app.css", "icon.svg")
            .mapToInt(name -> assets.find(name).orElseThrow().packedBytes())
            .sum();
    assertThat(built).as("what every visit takes").isLessThan(MOST_BUILT);
    assertThat(assets.packedBytes()).as("with all that can be read").isLessThan(MOST_BYTES);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"en", "zh-CN"})
  void itsSentencesAreThoseOfTheCommandLine(String language) throws IOException {
    SentenceCatalog catalog =
        language.equals("en") ? SentenceCatalog.english() : SentenceCatalog.chinese();
    ObjectNode texts =
        Json.parseObject(
            Files.readAllBytes(WEB.resolve("src/text/findings." + language + ".json")));
    List<String> keys = catalog.keys().stream().filter(key -> !key.endsWith(".help")).toList();
    for (String key : keys) {
      assertThat(Json.textOr(texts, "", key))
          .as("run ./dev ui: %s", key)
          .isEqualTo(catalog.raw(key));
    }
    assertThat(texts.size()).isEqualTo(keys.size());
  }

  @Test
  void noSourceWritesHtml() throws IOException {
    try (Stream<Path> files = Files.walk(WEB.resolve("src"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file))
            .as(file.toString())
            .doesNotContain("innerHTML", "{@html", "style=\"", "eval(");
      }
    }
  }
}
