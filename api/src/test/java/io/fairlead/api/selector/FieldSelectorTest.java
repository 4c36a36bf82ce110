package io.fairlead.api.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.status.ApiException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldSelectorTest {
  private static final Map<String, String> FIELDS =
      Map.of("metadata.name", "web", "odd", "a,b=c\\d", "spec.nodeName", "");

  @ParameterizedTest(name = "[{0}] matches: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | true",
        "metadata.name=web | true",
        "metadata.name==web | true",
        "metadata.name!=web | false",
        "metadata.name=web,metadata.name!=db | true",
        "metadata.name=web,,spec.nodeName= | true",
        "spec.nodeName!= | false",
        "odd=a\\,b\\=c\\\\d | true",
      })
  void matches(String text, boolean expected) {
    assertThat(FieldSelector.parse(text).matches(FIELDS)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "[{0}] is refused: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a | invalid selector: 'a'; can't understand 'a'",
        "a=b,c | invalid selector: 'a=b,c'; can't understand 'c'",
        "a=b=c | invalid field selector: unescaped character in value: 61",
        "a=b\\c | invalid field selector: invalid escape sequence: \\c",
        "a=b\\ | invalid field selector: invalid escape sequence: \\",
      })
  void refused(String text, String message) {
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> FieldSelector.parse(text))
        .withMessage(message);
  }

  @Test
  void tellsWhatItAsksFor() {
    FieldSelector selector = FieldSelector.parse("metadata.name=web,status.phase!=Running");
    assertThat(selector.fields()).containsExactly("metadata.name", "status.phase");
    assertThat(selector.exactValue("metadata.name")).isEqualTo("web");
    assertThat(selector.exactValue("status.phase")).isNull();
    assertThat(selector).hasToString("metadata.name=web,status.phase!=Running");
    assertThat(FieldSelector.parse("").isEmpty()).isTrue();
  }
}
