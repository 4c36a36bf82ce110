package io.fairlead.api.selector;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.status.ApiException;
import io.fairlead.work.testing.FuzzRun;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever a selector says, it is read or refused with a 400, and one that was read can be asked
/// and written down again. A failure names its seed.
class SelectorFuzzTest {
  private static final Map<String, String> LABELS = Map.of("app", "web", "tier", "front");
  private static final String MEANINGFUL = "=!<>(),. /\\-_innotexists0aZ\u00e4\ud83d\u2028";

  /// A kind of selector.
  ///
  /// @param readable reads, asks, and says whether what is written down means the same
  record Kind(String name, Predicate<String> readable, List<String> texts) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Kind> kinds() {
    return Stream.of(
        new Kind(
            "labels",
            text -> {
              LabelSelector selector = LabelSelector.parse(text);
              return LabelSelector.parse(selector.toString()).matches(LABELS)
                  == selector.matches(LABELS);
            },
            List.of(
                "app=web,tier in (front,back),!canary",
                "app!=web,tier notin (a, b),x>1,y<2,exists",
                "example.com/name==v")),
        new Kind(
            "fields",
            text -> {
              FieldSelector selector = FieldSelector.parse(text);
              return FieldSelector.parse(selector.toString()).equals(selector);
            },
            List.of("metadata.name=web,status.phase!=Running", "a==b\\,c\\=d\\\\e,spec.x=")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kinds")
  void isReadOrRefused(Kind kind) {
    Random random = new Random(FuzzRun.SEED);
    int read = 0;
    int refused = 0;
    for (int round = 0; round < FuzzRun.COUNT || read == 0 || refused == 0; round++) {
      String text = damaged(kind.texts().get(random.nextInt(kind.texts().size())), random);
      try {
        assertThat(kind.readable().test(text)).as(text).isTrue();
        read++;
      } catch (ApiException e) {
        assertThat(e.status().code()).as(text).isEqualTo(400);
        refused++;
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError(kind + " seed " + FuzzRun.SEED + " text " + text, e);
      }
    }
  }

  /// The text with a few characters replaced, added or left out.
  private static String damaged(String text, Random random) {
    StringBuilder out = new StringBuilder(text);
    for (int count = random.nextInt(4); count > 0 && !out.isEmpty(); count--) {
      int at = random.nextInt(out.length());
      char c = MEANINGFUL.charAt(random.nextInt(MEANINGFUL.length()));
      switch (random.nextInt(3)) {
        case 0 -> out.setCharAt(at, c);
        case 1 -> out.insert(at, c);
        default -> out.deleteCharAt(at);
      }
    }
    return out.toString();
  }
}
