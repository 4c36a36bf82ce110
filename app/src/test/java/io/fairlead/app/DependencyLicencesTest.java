package io.fairlead.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The libraries this program is made of, and the terms they come with.
class DependencyLicencesTest {
  /// Terms under which the program may be handed on in one archive. Those of tests alone are not
  /// handed on, but are held to the same list.
  private static final Set<String> ALLOWED =
      Set.of(
          "Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "EPL-2.0", "EPL-2.0 OR Apache-2.0");

  /// What a pom writes for each.
  private static final Map<String, Pattern> WORDS =
      Map.of(
          "Apache-2.0", Pattern.compile("(?i)apache"),
          "MIT", Pattern.compile("(?i)MIT|bouncy castle"),
          "BSD-2-Clause", Pattern.compile("(?i)BSD"),
          "BSD-3-Clause", Pattern.compile("(?i)BSD|Go License"),
          "EPL-2.0", Pattern.compile("(?i)EPL|eclipse"),
          "EPL-2.0 OR Apache-2.0", Pattern.compile("(?i)EPL|eclipse"));

  private static final Pattern NAMED =
      Pattern.compile("<license>\\s*<name>(.*?)</name>", Pattern.DOTALL);
  // Tests of a module run in its directory.
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static Map<String, String> listed() throws IOException {
    Map<String, String> listed = new TreeMap<>();
    for (String line : Files.readAllLines(ROOT.resolve(".ci/licences"))) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] parts = line.split(" ", 2);
        listed.put(parts[0], parts[1]);
      }
    }
    return listed;
  }

  /// The jars of this test's class path that lie in a Maven repository.
  private static List<Path> jars() {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Stream.of(path.split(File.pathSeparator))
        .filter(each -> each.endsWith(".jar") && each.contains("/repository/"))
        .filter(each -> !each.contains("/io/fairlead/"))
        .map(Path::of)
        .toList();
  }

  /// `group:artifact` of a jar by where it lies.
  private static String coordinates(Path jar) {
    String path = jar.toString().replaceFirst(".*/repository/", "");
    String[] steps = path.split("/");
    return String.join(".", List.of(steps).subList(0, steps.length - 3))
        + ":"
        + steps[steps.length - 3];
  }

  @Test
  void everyLibraryHasALicenceThatIsAllowed() throws IOException {
    Map<String, String> listed = listed();
    List<String> problems = new ArrayList<>();
    for (Path jar : jars()) {
      String name = coordinates(jar);
      String licence = listed.get(name);
      if (licence == null) {
        problems.add(name + " is not in .ci/licences: find out its licence and add it");
        continue;
      }
      Path pom = Path.of(jar.toString().replaceFirst("\\.jar$", ".pom"));
      Matcher named = NAMED.matcher(Files.exists(pom) ? Files.readString(pom) : "");
      Pattern words = WORDS.get(licence);
      if (named.find() && words != null && !words.matcher(named.group(1)).find()) {
        problems.add(name + " says " + named.group(1) + ", .ci/licences says " + licence);
      }
    }
    assertThat(problems).isEmpty();
    assertThat(jars()).as("the class path was found").hasSizeGreaterThan(30);
    assertThat(listed.values()).allMatch(ALLOWED::contains);
  }

  @Test
  void theBillOfMaterialsNamesEveryJar(@TempDir Path lib) throws Exception {
    List<Path> some = jars().subList(0, 5);
    for (Path jar : some) {
      Files.copy(jar, lib.resolve(jar.getFileName()));
    }
    JsonNode bill = Json.parse(sbom(lib, 0).getBytes(StandardCharsets.UTF_8));
    assertThat(bill.path("bomFormat").asString("")).isEqualTo("CycloneDX");
    List<String> found = new ArrayList<>();
    for (JsonNode component : bill.path("components")) {
      found.add(component.path("group").asString("") + ":" + component.path("name").asString(""));
      assertThat(component.path("purl").asString("")).startsWith("pkg:maven/");
      assertThat(component.at("/hashes/0/content").asString("")).hasSize(64);
      assertThat(component.at("/licenses/0").isObject()).isTrue();
    }
    assertThat(found)
        .containsExactlyInAnyOrderElementsOf(
            some.stream().map(DependencyLicencesTest::coordinates).toList());
    Files.copy(some.getFirst(), lib.resolve("stranger-1.0.jar"));
    assertThat(sbom(lib, 1)).contains("no licence is known of", "stranger-1.0.jar");
  }

  private static String sbom(Path lib, int exit) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                ROOT.resolve("bin/Sbom.java").toString(),
                lib.toString(),
                ROOT.resolve(".ci/licences").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(said).isEqualTo(exit);
    return said;
  }
}
