package io.fairlead.server.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.google.re2j.PatternSyntaxException;
import io.fairlead.work.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Texts that an expression is given, or is made of, to fill the server's memory or its stack.
class CelAttackTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final CelEnvironment ENVIRONMENT =
      new CelEnvironment(
          Map.of(
              "many", CelType.STRING,
              "long", CelType.STRING,
              "list", CelType.list(CelType.STRING)));
  private static final Map<String, Object> VALUES =
      Map.of(
          "many", "a".repeat(100_000),
          "long", "b".repeat(100_000),
          "list", List.copyOf(java.util.Collections.nCopies(50_000, "b".repeat(10_000))));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "many.replace('a', long) == ''",
        "many.replace('', long) == ''",
        "many.replace('a', long, 1000) == ''",
        "list.join() == ''",
        "list.join(long) == ''",
        "list.map(x, long).join(long) == ''",
        "list.map(x, many.replace('a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')).size() == 0",
        "'%s%s%s'.format(list.map(x, long)) == ''"
      })
  void aTextThatGrowsIsPaidFor(String expression) throws Exception {
    CelProgram program = ENVIRONMENT.compile(expression);
    assertTimeoutPreemptively(
        SOON,
        () ->
            assertThatThrownBy(() -> program.test(VALUES, new CelBudget(CelBudget.PER_OBJECT)))
                .isInstanceOf(CelEvaluationException.class));
  }

  @Test
  void whatDoesNotGrowCostsWhatItDid() throws Exception {
    CelProgram program = ENVIRONMENT.compile("many.replace('a', 'b').size() == 100000");
    CelBudget budget = new CelBudget(CelBudget.PER_OBJECT);
    assertThat(program.test(VALUES, budget)).isTrue();
    assertThat(CelBudget.PER_OBJECT - budget.left()).isBetween(10_000L, 12_000L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "((a{100}){100}){100}",
        "((a{1000}){1000}){1000}",
        "(((((a{0,10}){0,10}){0,10}){0,10}){0,10}){0,10}",
        "((a{10}){10}|b){11}",
        "((a{1,}){32,}){32,}",
        "x{1001}"
      })
  void repetitionsOfRepetitionsAreRefused(String pattern) {
    assertTimeoutPreemptively(
        SOON,
        () ->
            assertThatThrownBy(() -> BoundedPattern.compile(pattern))
                .isInstanceOf(PatternSyntaxException.class));
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "(?:", "a?", "(a*)*", "[a-z]{1000}", "(b|c)*", "\\pL", "[\\pL\\pN]"})
  void longOnesAreRefused(String part) {
    String close = part.startsWith("(") && !part.endsWith("*") ? ")" : "";
    String pattern = part.repeat(50_000) + close.repeat(50_000);
    assertTimeoutPreemptively(
        SOON,
        () ->
            assertThatThrownBy(() -> BoundedPattern.compile(pattern))
                .isInstanceOf(PatternSyntaxException.class));
  }

  /// The worst that is let pass needs no more stack than a request has.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a{0,1000}",
        "(a*){500}",
        "(?:(a*)?){350}",
        "((a?)|b){300}",
        "[a-z]{1000}x{0,900}"
      })
  void whatIsLetPassRuns(String pattern) throws Exception {
    FutureTask<Boolean> run =
        new FutureTask<>(() -> BoundedPattern.compile(pattern).matcher("C".repeat(1000)).matches());
    Thread _ = Tasks.start("pattern", run::run);
    assertThat(run.get()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$",
        "^(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})\\.){3}(?:25[0-5]|[0-9]{1,2})$",
        "^\\d{4}-\\d{2}\\Q{5000}(((\\E[[:alpha:]{9999}]+\\x{41}\\p{Greek}$",
        "a{,5}b{x}",
        "[]a{2000}]",
        "^.{0,253}$"
      })
  void usualOnesAreFine(String pattern) {
    assertThatCode(() -> BoundedPattern.compile(pattern)).doesNotThrowAnyException();
  }
}
