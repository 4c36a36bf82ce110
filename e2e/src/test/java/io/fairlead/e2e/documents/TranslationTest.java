package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.e2e.Repository;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A translated page has the same blocks as the English one, so what is shown for one holds for the
/// other.
class TranslationTest {
  @ParameterizedTest
  @CsvSource({"README.md,README.zh-CN.md", "docs/walkthrough.md,docs/zh-CN/walkthrough.md"})
  void hasTheSameBlocks(String english, String translated) throws IOException {
    Document original = Document.read(Repository.root(), english);
    Document other = Document.read(Repository.root(), translated);
    assertThat(blocks(other)).containsExactlyElementsOf(blocks(original));
    assertThat(other.varying()).isEqualTo(original.varying());
  }

  /// Pictures are translated, everything else is not.
  private static List<String> blocks(Document document) {
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
