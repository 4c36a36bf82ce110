package io.fairlead.api.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectorTest {
  private static final Map<String, String> LABELS =
      Map.of("app", "web", "tier", "front", "n", "5", "in", "notin", "empty", "", "a.b/c", "d");

  @ParameterizedTest(name = "[{0}] prints [{1}], matches: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | '' | true",
        "' ' | '' | true",
        "app=web | app=web | true",
        "app==web | app==web | true",
        "app = web | app=web | true",
        "app=db | app=db | false",
        "app!=web | app!=web | false",
        "nope!=web | nope!=web | true",
        "app in (db,web) | app in (db,web) | true",
        "app in ( web , db ) | app in (db,web) | true",
        "app notin (web) | app notin (web) | false",
        "nope notin (web) | nope notin (web) | true",
        "app | app | true",
        "nope | nope | false",
        "!nope | !nope | true",
        "! app | !app | false",
        "n>4 | n>4 | true",
        "n>5 | n>5 | false",
        "n<6 | n<6 | true",
        "app>1 | app>1 | false",
        "nope<1 | nope<1 | false",
        "empty= | empty= | true",
        "empty=,app | app,empty= | true",
        "empty in () | ERROR | false",
        "empty in (,) | empty in () | true",
        "empty in (a,) | empty in (,a) | true",
        "tier=front,app=web | app=web,tier=front | true",
        "tier=front,app=db | app=db,tier=front | false",
        "in=notin | in=notin | true",
        "in in (notin) | in in (notin) | true",
        "in notin (in) | in notin (in) | true",
        "a.b/c=d | a.b/c=d | true",
      })
  void readsPrintsAndMatches(String text, String printed, boolean matches) {
    if (printed.equals("ERROR")) {
      assertThatExceptionOfType(ApiException.class).isThrownBy(() -> LabelSelector.parse(text));
      return;
    }
    LabelSelector selector = LabelSelector.parse(text);
    assertThat(selector).hasToString(printed);
    assertThat(selector.matches(LABELS)).isEqualTo(matches);
    // An empty value alone in a list prints as `()`, which does not read back.
    if (!printed.contains("()")) {
      assertThat(LabelSelector.parse(printed)).isEqualTo(selector);
    }
  }

  @ParameterizedTest(name = "[{0}] is refused: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a===b | unable to parse requirement: found '=', expected: identifier",
        "=b | found '=', expected: !, identifier, or 'end of string'",
        "a, | found '', expected: identifier after ','",
        "a,,b | found ',', expected: identifier after ','",
        "!a=b | found '=', expected: ',' or 'end of string'",
        "a b | unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
        "!! | unable to parse requirement: found '!', expected: identifier",
        "a in b | unable to parse requirement: found 'b' expected: '('",
        "a in (b | unable to parse requirement: found '', expected: ',' or ')'",
        "a in (b, | unable to parse requirement: found '', expected: ',', or identifier",
        "a in (b c) | unable to parse requirement: found 'c', expected: ',' or ')'",
        "a in (=) | unable to parse requirement: found '=', expected: ',', ')' or identifier",
        "a in () | unable to parse requirement: values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty",
        "a>x | unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
        "a=b=c | found '=', expected: ',' or 'end of string'",
        "(a) | found '(', expected: !, identifier, or 'end of string'",
        "-a=b | unable to parse requirement: <nil>: Invalid value: \"-a\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        "a=-b | unable to parse requirement: values[0][a]: Invalid value: \"-b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      })
  void refused(String text, String message) {
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> LabelSelector.parse(text))
        .withMessage(message)
        .satisfies(e -> assertThat(e.status().code()).isEqualTo(400));
  }

  @Test
  void objectForm() {
    var selector =
        LabelSelector.of(
            Json.parseObject(
                """
                {"matchLabels": {"app": "web"}, "matchExpressions": [
                  {"key": "tier", "operator": "In", "values": ["front", "back"]},
                  {"key": "canary", "operator": "DoesNotExist"}]}
                """
                    .getBytes(StandardCharsets.UTF_8)));
    assertThat(selector).hasToString("app=web,!canary,tier in (back,front)");
    assertThat(selector.matches(LABELS)).isTrue();
    assertThat(selector.matches(Map.of("app", "web"))).isFalse();
  }

  @Test
  void emptyObjectMatchesAllAndNoObjectMatchesNone() {
    assertThat(LabelSelector.of(Json.object()).matches(LABELS)).isTrue();
    assertThat(LabelSelector.of(Json.object()).isEmpty()).isTrue();
    assertThat(LabelSelector.NOTHING.matches(LABELS)).isFalse();
    assertThat(LabelSelector.NOTHING.isEmpty()).isFalse();
  }

  @Test
  void matchesTreesLikeMaps() {
    var object = Json.object();
    object.putObject("metadata").putObject("labels").put("app", "web");
    assertThat(LabelSelector.parse("app=web,!x").matches(object)).isTrue();
    assertThat(LabelSelector.parse("app=db").matches(object)).isFalse();
    assertThat(LabelSelector.parse("app").matches(Json.object())).isFalse();
  }

  @Test
  void anyTextIsASelectorOrATypedError() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(11);
    String alphabet = "ab1-_./=!<>(), \t\\é\0 in notin";
    for (int i = 0; i < 50_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(14); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      try {
        LabelSelector.parse(text.toString()).matches(LABELS);
      } catch (ApiException refused) {
        assertThat(refused.status().code()).isEqualTo(400);
      }
      try {
        FieldSelector selector = FieldSelector.parse(text.toString());
        assertThat(FieldSelector.parse(selector.toString())).isEqualTo(selector);
      } catch (ApiException refused) {
        assertThat(refused.status().code()).isEqualTo(400);
      }
    }
  }
}
