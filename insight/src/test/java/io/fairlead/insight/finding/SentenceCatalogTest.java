package io.fairlead.insight.finding;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SentenceCatalogTest {
  private static final Pattern VALUE = Pattern.compile("\\{[a-zA-Z]+}");

  private final SentenceCatalog english = SentenceCatalog.english();
  private final SentenceCatalog chinese = SentenceCatalog.chinese();

  @Test
  void bothLanguagesHaveTheSameKeys() {
    assertThat(chinese.keys()).isEqualTo(english.keys());
  }

  @Test
  void bothLanguagesUseTheSameValues() {
    assertThat(english.keys())
        .allSatisfy(
            key ->
                assertThat(values(chinese.raw(key))).as(key).isEqualTo(values(english.raw(key))));
  }

  @Test
  void everyCodeHasASentenceANextStepAndAHelpPage() {
    assertThat(FindingCode.values())
        .allSatisfy(
            code ->
                assertThat(english.keys()).contains(code.name(), code + ".next", code + ".help"));
    assertThat(
            english.keys().stream()
                .filter(key -> key.matches("FL\\d+"))
                .filter(key -> FindingCode.parse(key).isEmpty()))
        .isEmpty();
  }

  @Test
  void chineseSentencesAreNotLeftInEnglish() {
    assertThat(Arrays.stream(FindingCode.values()))
        .allSatisfy(
            code -> {
              // Of FL154 only values are left, which are sentences themselves.
              assertThat(VALUE.matcher(chinese.raw(code.name())).replaceAll(""))
                  .as(code.name())
                  .matches(".*\\p{IsHan}.*| ");
              assertThat(chinese.raw(code + ".help")).matches("(?s).*\\p{IsHan}.*");
            });
  }

  @Test
  void aWordOfAListHasATextOfItsOwn() {
    Sentence sentence = new Sentence("FL154", Map.of("value", "10.1.2.3", "what", "address"));
    assertThat(english.text(sentence)).isEqualTo("10.1.2.3 is an address, not a name");
    assertThat(chinese.text(sentence)).isEqualTo("10.1.2.3 是地址，不是名称");
  }

  @Test
  void jsonInASentenceStaysAsItIs() {
    Sentence sentence =
        new Sentence(
            "FL102.next",
            Map.of("name", "web", "namespace", "shop", "patch", "{\"app\":\"{name}\"}"));
    assertThat(english.text(sentence))
        .isEqualTo(
            "kubectl patch svc web -n shop -p '{\"spec\":{\"selector\":{\"app\":\"{name}\"}}}'");
  }

  @Test
  void timesAreShownAsPeopleReadThem() {
    Sentence sentence = new Sentence("FL117", Map.of("node", "b", "since", "2026-11-16T10:42:07Z"));
    Instant now = Instant.parse("2026-11-16T12:00:00Z");
    assertThat(english.localized(now, ZoneOffset.UTC).text(sentence))
        .isEqualTo("its node b is silent since 10:42:07");
    assertThat(english.localized(now.plusSeconds(86_400), ZoneOffset.UTC).text(sentence))
        .isEqualTo("its node b is silent since 2026-11-16 10:42:07");
    assertThat(english.text(sentence)).isEqualTo("its node b is silent since 2026-11-16T10:42:07Z");
  }

  private static TreeSet<String> values(String text) {
    return VALUE
        .matcher(text)
        .results()
        .map(result -> result.group())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
