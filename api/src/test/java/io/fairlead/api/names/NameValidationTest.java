package io.fairlead.api.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NameValidationTest {
  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
  private static final String QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

  record Format(String name, Function<String, List<String>> problems, String pattern) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Format> formats() {
    return Stream.of(
        new Format("label", NameValidation::dns1123Label, LABEL),
        new Format("subdomain", NameValidation::dns1123Subdomain, SUBDOMAIN),
        new Format("DNS-1035 label", NameValidation::dns1035Label, "[a-z]([-a-z0-9]*[a-z0-9])?"),
        new Format("wildcard", NameValidation::wildcardSubdomain, "\\*\\." + SUBDOMAIN),
        new Format(
            "qualified name", NameValidation::qualifiedName, "(" + SUBDOMAIN + "/)?" + QUALIFIED),
        new Format("label value", NameValidation::labelValue, "(" + QUALIFIED + ")?"),
        new Format("C identifier", NameValidation::cIdentifier, "[A-Za-z_][A-Za-z0-9_]*"),
        new Format("config key", NameValidation::configMapKey, "(?!\\.\\.|\\.$)[-._a-zA-Z0-9]+"),
        new Format("header", NameValidation::httpHeader, "[-A-Za-z0-9]+"),
        new Format("percent", NameValidation::percent, "[0-9]+%"),
        new Format("environment", NameValidation::environmentVariable, "[ -<>-~]+"),
        new Format(
            "port name",
            NameValidation::portName,
            "(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]*[a-z0-9])?"));
  }

  @ParameterizedTest(name = "{0} agrees with its pattern")
  @MethodSource("formats")
  void agreesWithThePattern(Format format) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(3);
    Pattern pattern = Pattern.compile(format.pattern());
    String alphabet = "aaabz019A_-.*%/=é ";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(7); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      assertThat(format.problems().apply(text.toString()).isEmpty())
          .as("%s [%s]", format, text)
          .isEqualTo(pattern.matcher(text).matches());
    }
  }

  record Problem(String name, List<String> problems, String... texts) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Problem> problems() {
    String label =
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters"
            + " or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or"
            + " '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    String part =
        "must consist of alphanumeric characters, '-', '_' or '.', and must start and end"
            + " with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used"
            + " for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    return Stream.of(
        new Problem("underscore in a label", NameValidation.dns1123Label("Bad_Name"), label),
        new Problem("dots in a label", NameValidation.dns1123Label("a.b"), "must not contain dots"),
        new Problem(
            "label of 64",
            NameValidation.dns1123Label("a".repeat(64)),
            "must be no more than 63 characters"),
        new Problem(
            "label value of 64",
            NameValidation.labelValue("a".repeat(64)),
            "must be no more than 63 bytes"),
        new Problem(
            "two slashes",
            NameValidation.qualifiedName("a/b/c"),
            "a valid label key "
                + part
                + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"),
        new Problem(
            "empty prefix", NameValidation.qualifiedName("/b"), "prefix part must be non-empty"),
        new Problem(
            "empty name",
            NameValidation.qualifiedName("a/"),
            "name part must be non-empty",
            "name part " + part),
        new Problem(
            "long name",
            NameValidation.qualifiedName("a/" + "b".repeat(64)),
            "name part must be no more than 63 bytes"),
        new Problem("capital in a prefix of an annotation", NameValidation.annotationKey("A.B/c")),
        new Problem(
            "port name of digits",
            NameValidation.portName("123"),
            "must contain at least one letter (a-z)"),
        new Problem(
            "long port name",
            NameValidation.portName("this-name-is-too-long"),
            "must be no more than 15 characters"),
        new Problem(
            "hyphens in a port name",
            NameValidation.portName("-a--b"),
            "must not contain consecutive hyphens",
            "must not begin or end with a hyphen"),
        new Problem(
            "path segment",
            NameValidation.pathSegment("a/b%"),
            "may not contain '/'",
            "may not contain '%'"),
        new Problem("dot as path segment", NameValidation.pathSegment(".."), "may not be '..'"),
        new Problem(
            "port number", NameValidation.portNumber(0), "must be between 1 and 65535, inclusive"),
        new Problem(
            "generateName may end in a hyphen", NameFormat.DNS1123_LABEL.problems("web-", true)),
        new Problem("a name may not", NameFormat.DNS1123_LABEL.problems("web-", false), label));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("problems")
  void texts(Problem problem) {
    assertThat(problem.problems()).containsExactly(problem.texts());
  }

  @Test
  void generatedNamesFitALabel() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(5);
    assertThat(NameGenerator.name("web-", random))
        .matches("web-[" + NameGenerator.ALPHABET + "]{5}");
    assertThat(NameGenerator.name("a".repeat(100), random)).hasSize(63);
  }
}
