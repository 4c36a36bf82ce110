package io.fairlead.server.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.json.Json;
import io.fairlead.work.testing.FuzzRun;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CelProgramTest {
  private static final CelEnvironment ENVIRONMENT =
      new CelEnvironment(
          Map.of(
              "object",
              CelType.DYN,
              "names",
              CelType.list(CelType.STRING.atMost(10)).atMost(10),
              "long",
              CelType.list(CelType.STRING)),
          CelProgramTest::made);

  /// What expressions may make: boxes, of which all members are known, and bags of anything.
  private static @Nullable CelType made(String name) {
    return switch (name) {
      case "Box" -> CelType.object("Box", Map.of("size", CelType.INT));
      case "Bag", "Bag.in" -> CelType.openObject(name);
      default -> null;
    };
  }

  private static final Map<String, Object> VALUES =
      Map.of(
          "object",
          CelValues.of(
              Json.parse(
                  "{\"spec\":{\"replicas\":3,\"ports\":[{\"name\":\"a\",\"port\":80}],\"f\":1.5},\"m\":{\"x-y\":\"z\"}}"
                      .getBytes(StandardCharsets.UTF_8))),
          "names",
          List.of("b", "a"),
          "long",
          List.of());

  /// @param holds an expression whose value is true
  record Row(String name, String holds) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> truths() {
    return Stream.of(
        new Row("precedence", "1 + 2 * 3 == 7 && !(1 > 2) || false"),
        new Row("conditional", "(1 < 2 ? 'a' : 'b') == 'a'"),
        new Row("numbers of several types compare", "dyn(1) == 1.0 && 1u < 2 && 2.5 > 2"),
        new Row("integer division", "7 / 2 == 3 && 7 % 2 == 1 && -7 / 2 == -3"),
        new Row("least number", "-9223372036854775808 < 0"),
        new Row("hexadecimal", "0x1F == 31"),
        new Row("raw and triple quotes", "r'\\d' == '\\\\d' && '''a'b''' == \"a'b\""),
        new Row("escapes", "'\\u0041\\x42\\n'.size() == 3"),
        new Row("members", "object.spec.replicas == 3 && object['spec']['f'] == 1.5"),
        new Row("index", "object.spec.ports[0].name == 'a' && object.m['x-y'] == 'z'"),
        new Row("has", "has(object.spec.replicas) && !has(object.spec.other)"),
        new Row("or hides an error", "object.none == 1 || true"),
        new Row("and hides an error", "!(object.none == 1 && false)"),
        new Row("in a list", "'a' in names && !('c' in names)"),
        new Row("in a map", "'spec' in object"),
        new Row(
            "all, exists, exists_one",
            "names.all(n, n < 'c') && names.exists(n, n == 'a') && names.exists_one(n, n == 'a')"),
        new Row(
            "map and filter",
            "names.map(n, n + '1') == ['b1', 'a1'] && names.filter(n, n != 'a') == ['b']"),
        new Row("map with a filter", "[1, 2, 3].map(i, i > 1, i * 2) == [4, 6]"),
        new Row(
            "two variables", "names.all(i, n, i < 2) && {'a': 1}.exists(k, v, k == 'a' && v == 1)"),
        new Row(
            "transformations",
            "[1, 2].transformList(i, v, i + v) == [1, 3] && {'a': 1}.transformMap(k, v, v + 1) == {'a': 2}"),
        new Row(
            "optional members",
            "object.?spec.?none.orValue(5) == 5 && object.?spec.replicas.hasValue()"),
        new Row(
            "optional index",
            "names[?5].orValue('x') == 'x' && optional.of(1).optMap(x, x + 1).value() == 2"),
        new Row("optional items", "[?optional.none(), 1] == [1]"),
        new Row(
            "texts",
            "'aBc'.lowerAscii() == 'abc' && 'abc'.substring(1, 2) == 'b' && 'a,b'.split(',') == ['a', 'b']"),
        new Row(
            "join and replace",
            "['a', 'b'].join('-') == 'a-b' && 'aaa'.replace('a', 'b', 2) == 'bba'"),
        new Row("format", "'%s is %d'.format(['x', 5]) == 'x is 5'"),
        new Row(
            "regular expressions",
            "'abc123'.matches('[0-9]+') && 'a1b2'.findAll('[0-9]') == ['1', '2']"),
        new Row(
            "times",
            "timestamp('2024-02-03T04:05:06Z').getMonth() == 1 && duration('90m').getHours() == 1"),
        new Row(
            "arithmetic of times",
            "timestamp('2024-01-01T00:00:00Z') + duration('1h') == timestamp('2024-01-01T01:00:00Z')"),
        new Row(
            "conversions",
            "int('5') == 5 && string(1.5) == '1.5' && double('2') == 2.0 && type(1) == int"),
        new Row(
            "lists",
            "[3, 1].min() == 1 && [1, 2].sum() == 3 && [1, 2].isSorted() && [1, 2, 1].lastIndexOf(1) == 2"),
        new Row("sets", "sets.equivalent([1, 2], [2, 1, 1]) && sets.intersects([1], [1, 2])"),
        new Row(
            "quantities",
            "quantity('1Gi').isGreaterThan(quantity('1000Mi')) && quantity('1').add(2) == quantity('3')"),
        new Row(
            "addresses",
            "ip('10.0.0.1').family() == 4 && ip('::1').isLoopback() && !isIP('10.0.0.256')"),
        new Row(
            "blocks",
            "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8')"),
        new Row(
            "urls",
            "url('https://a:8/b?c=d').getHost() == 'a:8' && url('https://a/b?c=d').getQuery()['c'] == ['d']"),
        new Row(
            "versions",
            "semver('1.2.3').isLessThan(semver('1.10.0')) && semver('v1.2', true).minor() == 2"),
        new Row(
            "formats",
            "format.dns1123Label().validate('A').hasValue() && !format.named('nothing').hasValue()"),
        new Row("an object that is made", "Box{size: 3}.size == 3 && Box{size: 1} == Box{size: 1}"),
        new Row("members by chance", "has(Box{?size: optional.of(1)}.size) && !has(Box{}.size)"),
        new Row("an object of anything", "Bag{in: Bag.in{a: ['x']}}.in.a[0] == 'x'"),
        new Row("objects in lists", "[Box{size: 1}, Box{size: 2}].map(b, b.size) == [1, 2]"),
        new Row("keys of patches", "jsonpatch.escapeKey('a/b~c') == 'a~1b~0c'"),
        new Row("null", "null == null && object.spec != null"));
  }

  @ParameterizedTest
  @MethodSource("truths")
  void isTrue(Row row) {
    CelProgram program = ENVIRONMENT.compile(row.holds());
    assertThat(program.test(VALUES, new CelBudget(CelBudget.PER_OBJECT))).isTrue();
  }

  @Test
  void aFaultHasItsPlace() {
    assertThatThrownBy(() -> ENVIRONMENT.compile("1 +\n nothing"))
        .isInstanceOf(CelCompileException.class)
        .hasMessage(
            "ERROR: <input>:2:2: undeclared reference to 'nothing' (in container '')\n |  nothing\n"
                + " | .^");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "Crate{}; undeclared reference to 'Crate' (in container '')",
        "Box{width: 1}; expected type of field 'width' is '' but provided type is 'int'",
        "Box{size: 'x'}; expected type of field 'size' is 'int' but provided type is 'string'",
        "Box{?size: 1}; expected type of field 'size' is 'optional_type(int)'"
            + " but provided type is 'int'",
        "Box{}.width; undefined field 'width'",
        "Box{size 1}; Syntax error: unexpected",
      })
  void anObjectIsMadeOfItsMembers(String text, String why) {
    assertThatThrownBy(() -> ENVIRONMENT.compile(text))
        .isInstanceOf(CelCompileException.class)
        .hasMessageContaining(why);
  }

  @Test
  void whatWasMadeBecomesJson() {
    Object value =
        ENVIRONMENT
            .compile("Bag{in: Bag.in{a: [1, 2.5, null, true], b: {'c': 'd'}}}")
            .run(VALUES, new CelBudget(1000));
    assertThat(CelJson.of(value))
        .hasToString("{\"in\":{\"a\":[1,2.5,null,true],\"b\":{\"c\":\"d\"}}}");
  }

  @Test
  void anObjectStandsWhereItsTypeSays() {
    Object value = ENVIRONMENT.compile("Bag{out: Bag.in{}}").run(VALUES, new CelBudget(1000));
    assertThatThrownBy(() -> CelJson.of(value))
        .isInstanceOf(CelEvaluationException.class)
        .hasMessage(
            "type mismatch: unexpected type name \"Bag.in\", expected \"Bag.out\", which matches field"
                + " name path from root Object type");
  }

  @Test
  void arithmeticThatOverflowsHasNoValue() {
    CelProgram program = ENVIRONMENT.compile("9223372036854775807 + 1 > 0");
    assertThatThrownBy(() -> program.test(VALUES, new CelBudget(1000)))
        .isInstanceOf(CelEvaluationException.class)
        .hasMessage("integer overflow");
  }

  @Test
  void aRunThatCostsTooMuchIsStopped() {
    String walk = "[1,2,3,4,5,6,7,8,9,10]";
    CelProgram program =
        ENVIRONMENT.compile(
            walk
                + ".all(a, "
                + walk
                + ".all(b, "
                + walk
                + ".all(c, "
                + walk
                + ".all(d, a+b+c+d > 0))))");
    assertThatThrownBy(() -> program.test(VALUES, new CelBudget(10_000)))
        .isInstanceOf(CelBudgetException.class);
  }

  @Test
  void walksOverWhatHasNoBoundAreEstimatedAsDear() {
    assertThat(ENVIRONMENT.compile("names.all(n, n.contains('a'))").estimatedCost())
        .isLessThan(1000);
    assertThat(ENVIRONMENT.compile("long.all(n, long.all(m, n == m))").estimatedCost())
        .isGreaterThan(1e9);
  }

  @Test
  void deepNestingIsRefused() {
    assertThatThrownBy(() -> ENVIRONMENT.compile("(".repeat(5000) + "1" + ")".repeat(5000)))
        .isInstanceOf(CelCompileException.class);
    assertThatThrownBy(() -> ENVIRONMENT.compile("!".repeat(5000) + "true"))
        .isInstanceOf(CelCompileException.class);
    assertThatThrownBy(() -> ENVIRONMENT.compile("[".repeat(5000)))
        .isInstanceOf(CelCompileException.class);
  }

  /// Whatever the text is: it is refused, or its run ends with a value or one of these exceptions.
  @Test
  void damagedTextsThrowNothingElse() {
    Random random = new Random(FuzzRun.SEED);
    List<String> texts = truths().map(Row::holds).toList();
    String signs = "()[]{}.,?:!&|+-*/%<>='\"\\ru0 9ax";
    for (int round = 0; round < FuzzRun.COUNT; round++) {
      StringBuilder text = new StringBuilder(texts.get(random.nextInt(texts.size())));
      for (int damage = random.nextInt(4); damage >= 0 && !text.isEmpty(); damage--) {
        int at = random.nextInt(text.length());
        char sign = signs.charAt(random.nextInt(signs.length()));
        switch (random.nextInt(3)) {
          case 0 -> text.deleteCharAt(at);
          case 1 -> text.insert(at, sign);
          default -> text.setCharAt(at, sign);
        }
      }
      try {
        Object value = ENVIRONMENT.compile(text.toString()).run(VALUES, new CelBudget(100_000));
        assertThat(value).isNotNull();
      } catch (CelCompileException | CelEvaluationException e) {
        assertThat(e.getMessage()).as("seed %s: %s", FuzzRun.SEED, text).isNotEmpty();
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + FuzzRun.SEED + ": " + text, e);
      }
    }
  }
}
