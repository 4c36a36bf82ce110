package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.e2e.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A translated page has the same blocks as the English one, so what is shown for one holds for the
/// other.
class TranslationTest {
  @ParameterizedTest
  @CsvSource({
    "README.md,README.zh-CN.md",
    "docs/architecture.md,docs/zh-CN/architecture.md",
    "docs/cli.md,docs/zh-CN/cli.md",
    "docs/network-policy.md,docs/zh-CN/network-policy.md",
    "docs/load-balancer.md,docs/zh-CN/load-balancer.md",
    "docs/security.md,docs/zh-CN/security.md",
    "docs/testing.md,docs/zh-CN/testing.md",
    "docs/troubleshooting.md,docs/zh-CN/troubleshooting.md",
    "docs/ui.md,docs/zh-CN/ui.md",
    "docs/unserved.md,docs/zh-CN/unserved.md",
    "docs/walkthrough.md,docs/zh-CN/walkthrough.md",
    "examples/README.md,examples/README.zh-CN.md"
  })
  void hasTheSameBlocks(String english, String translated) throws IOException {
    MarkdownDocument original = MarkdownDocument.read(Repository.root(), english);
    MarkdownDocument other = MarkdownDocument.read(Repository.root(), translated);
    assertThat(blocks(other)).containsExactlyElementsOf(blocks(original));
    assertThat(other.varying()).isEqualTo(original.varying());
    assertThat(tables(translated)).as("rows of tables").isEqualTo(tables(english));
  }

  /// How many rows each table has, in order.
  private static List<Integer> tables(String page) throws IOException {
    List<Integer> rows = new ArrayList<>();
    int here = 0;
    for (String line : Files.readAllLines(Repository.root().resolve(page))) {
      if (line.startsWith("|")) {
        here++;
      } else if (here > 0) {
        rows.add(here);
        here = 0;
      }
    }
    if (here > 0) {
      rows.add(here);
    }
    return rows;
  }

  /// Pictures are translated, everything else is not.
  private static List<String> blocks(MarkdownDocument document) {
    return document.blocks().stream()
        .filter(block -> !block.info().equals("text"))
        .map(
            block ->
                block.info()
                    + " "
                    + block.marks()
                    + block.mode()
                    + "\n"
                    + String.join("\n", block.text()))
        .toList();
  }
}
