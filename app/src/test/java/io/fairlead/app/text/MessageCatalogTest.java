package io.fairlead.app.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class MessageCatalogTest {
  private static final Pattern VALUE = Pattern.compile("\\{\\d}");

  private final MessageCatalog english = MessageCatalog.of(Language.EN);
  private final MessageCatalog chinese = MessageCatalog.of(Language.ZH_CN);

  @Test
  void bothLanguagesHaveTheSameKeys() {
    assertThat(chinese.keys()).isEqualTo(english.keys());
  }

  @Test
  void bothLanguagesUseTheSameValues() {
    for (String key : english.keys()) {
      assertThat(values(chinese, key)).as(key).isEqualTo(values(english, key));
    }
  }

  @Test
  void chineseSentencesAreNotLeftInEnglish() {
    Stream<String> sentences =
        english.keys().stream()
            .filter(key -> key.startsWith("FL") || key.startsWith("verb."))
            .filter(key -> english.text(key).contains(" "));
    assertThat(sentences)
        .allSatisfy(
            key ->
                assertThat(chinese.text(key))
                    .as(key)
                    .matches(
                        text ->
                            text.codePoints().anyMatch(c -> c > 0x2E80)
                                || text.startsWith("fairlead ")));
  }

  @Test
  void aPhraseIsWordedInTheSameLanguage() {
    Phrase inner = Phrase.of("why.died", 7);
    assertThat(english.text("error.why", inner)).isEqualTo("  why:  the process ended with code 7");
    assertThat(chinese.text("error.why", inner)).contains("进程以退出码 7 结束");
  }

  @Test
  void anUnknownKeyIsABug() {
    assertThatThrownBy(() -> english.text("no.such.key")).hasMessageContaining("no.such.key");
  }

  private static String values(MessageCatalog messages, String key) {
    return VALUE
        .matcher(raw(messages, key))
        .results()
        .map(r -> r.group())
        .collect(Collectors.toCollection(TreeSet::new))
        .toString();
  }

  /// The text with its placeholders left in.
  private static String raw(MessageCatalog messages, String key) {
    return messages.text(key, "{0}", "{1}", "{2}", "{3}");
  }

  record LanguageCase(String name, Map<String, String> environment, Language expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<LanguageCase> languages() {
    return Stream.of(
        new LanguageCase("nothing set: English", Map.of(), Language.EN),
        new LanguageCase("LANG decides", Map.of("LANG", "zh_CN.UTF-8"), Language.ZH_CN),
        new LanguageCase(
            "LC_ALL beats LANG", Map.of("LC_ALL", "C.UTF-8", "LANG", "zh_CN.UTF-8"), Language.EN),
        new LanguageCase(
            "FAIRLEAD_LANG beats all",
            Map.of("FAIRLEAD_LANG", "zh-CN", "LC_ALL", "C"),
            Language.ZH_CN),
        new LanguageCase("LC_MESSAGES counts", Map.of("LC_MESSAGES", "zh_CN"), Language.ZH_CN),
        new LanguageCase("other languages are English", Map.of("LANG", "de_DE"), Language.EN),
        new LanguageCase("traditional Chinese is English", Map.of("LANG", "zh_TW"), Language.EN));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("languages")
  void theEnvironmentChoosesTheLanguage(LanguageCase row) {
    assertThat(Language.of(row.environment())).isEqualTo(row.expected());
  }

  /// Texts are no patterns of `MessageFormat`: what stands there is printed.
  @ParameterizedTest
  @EnumSource(Language.class)
  void noQuoteIsDoubled(Language language) {
    MessageCatalog catalog = MessageCatalog.of(language);
    assertThat(catalog.keys()).noneMatch(key -> catalog.text(key).contains("''"));
  }

  @Test
  void wideCharactersTakeTwoColumns() {
    assertThat(Columns.width("存储与 API")).isEqualTo(10);
    assertThat(Columns.pad("存储", 6)).isEqualTo("存储  ");
    assertThat(Columns.width("✓ ok")).isEqualTo(4);
  }
}
