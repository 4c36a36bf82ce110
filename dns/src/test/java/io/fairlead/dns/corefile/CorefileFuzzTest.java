package io.fairlead.dns.corefile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.dns.plugin.SetupException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Damaged Corefiles give a Corefile or an error with a place in it, and nothing else.
class CorefileFuzzTest {
  private static final int ROUNDS = 20_000;
  private static final List<String> PIECES =
      List.of(
          "{",
          "}",
          "\"",
          "\\\"",
          "#",
          "\n",
          " ",
          ",",
          "(s)",
          "import s",
          "import *",
          "{$A}",
          "{%A%}",
          "{$",
          "://",
          "/33",
          ":0",
          "\u0000",
          "\ufeff",
          "import self",
          "é",
          "\ud800",
          "\r");

  private static final CorefileImports ENDLESS =
      new CorefileImports() {
        @Override
        public String read(Path file) {
          return "import self\n";
        }

        @Override
        public List<Path> matching(Path pattern) {
          return List.of(Path.of("a"), Path.of("b"));
        }
      };

  @Test
  void goldenCorefilesParse() throws Exception {
    List<Path> files = golden();
    assertThat(files).hasSizeGreaterThan(10);
    for (Path file : files) {
      Corefile corefile =
          Corefile.parse(file, Files.readString(file), 53, CorefileImports.files(), _ -> "1053");
      assertThat(corefile.blocks()).as(file.toString()).isNotEmpty();
      assertThat(corefile.blocks().getFirst().directives()).hasSizeGreaterThan(2);
    }
  }

  @Test
  void damageIsNoticed() throws IOException {
    List<String> seeds = new ArrayList<>();
    for (Path file : golden()) {
      seeds.add(Files.readString(file));
    }
    Random random = new Random(20261115);
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String text = damage(seeds.get(random.nextInt(seeds.size())), random);
      try {
        Corefile corefile = Corefile.parse(Path.of("f"), text, 53, ENDLESS, _ -> null);
        assertThat(corefile.fingerprint()).hasSize(128);
      } catch (SetupException e) {
        refused++;
        assertThat(e.line()).as(text).isBetween(1, 1 + (int) text.lines().count());
      } catch (RuntimeException e) {
        throw new AssertionError("round " + round + ": " + text, e);
      }
    }
    assertThat(refused).isBetween(ROUNDS / 100, ROUNDS - 1);
  }

  private static String damage(String text, Random random) {
    StringBuilder damaged = new StringBuilder(text);
    int edits = 1 + random.nextInt(4);
    for (int i = 0; i < edits && !damaged.isEmpty(); i++) {
      int at = random.nextInt(damaged.length());
      switch (random.nextInt(4)) {
        case 0 -> damaged.setLength(at);
        case 1 -> damaged.delete(at, Math.min(damaged.length(), at + 1 + random.nextInt(20)));
        case 2 -> damaged.insert(at, PIECES.get(random.nextInt(PIECES.size())));
        default -> damaged.setCharAt(at, (char) random.nextInt(128));
      }
    }
    return new String(damaged.toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  private static List<Path> golden() throws IOException {
    Path directory = Path.of("src/test/resources/golden");
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(f -> f.getFileName().toString().startsWith("Corefile-"))
          .sorted()
          .toList();
    }
  }
}
