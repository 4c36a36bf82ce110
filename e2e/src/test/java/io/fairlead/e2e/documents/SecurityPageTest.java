package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.e2e.Repository;
import io.fairlead.server.auth.rbac.RbacBootstrap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The pages on security and reliability say what is so: who may do what, and which test shows
/// what.
class SecurityPageTest {
  private static final Pattern IDENTITY = Pattern.compile("(group|user|account) `([^`]+)`");
  private static final Pattern WORD = Pattern.compile("`([^`]+)`");
  private static final Pattern TEST = Pattern.compile("`([A-Z][A-Za-z0-9]+(?:Test|Contract))\\b");
  private static final Pattern FAULT = Pattern.compile("bench faults ([a-z-]+)");

  private static String page(String name) throws IOException {
    return Files.readString(Repository.root().resolve("docs").resolve(name));
  }

  /// `group system:nodes: fairlead:node-endpoints`, one for each binding.
  @Test
  void theTableOfIdentitiesIsThatOfTheServer() throws IOException {
    Set<String> bound = new TreeSet<>();
    for (ObjectNode object : RbacBootstrap.objects()) {
      String role = Json.textOr(object, "", "roleRef", "name");
      if (role.isEmpty() || role.startsWith("system:controller:")) {
        continue;
      }
      for (JsonNode subject : object.path("subjects")) {
        String kind = subject.path("kind").asString("").replace("ServiceAccount", "account");
        bound.add(
            kind.toLowerCase(Locale.ROOT) + " " + subject.path("name").asString("") + ": " + role);
      }
    }
    Set<String> written = new TreeSet<>();
    for (String line : page("security.md").lines().toList()) {
      String[] cells = line.split("\\|");
      Matcher identities = IDENTITY.matcher(cells.length > 3 ? cells[1] : "");
      while (identities.find()) {
        for (String role : cells[2].split(",")) {
          Matcher name = WORD.matcher(role);
          boolean userOnly = role.contains("(the user)");
          if (name.find() && !(userOnly && !identities.group(1).equals("user"))) {
            written.add(identities.group(1) + " " + identities.group(2) + ": " + name.group(1));
          }
        }
      }
    }
    assertThat(written).isEqualTo(bound);
  }

  @ParameterizedTest
  @ValueSource(strings = {"security.md", "reliability.md"})
  void everyTestThatIsNamedExists(String page) throws IOException {
    Set<String> files;
    try (Stream<Path> all = Files.walk(Repository.root())) {
      files =
          all.map(file -> String.valueOf(file.getFileName()))
              .filter(file -> file.endsWith(".java"))
              .collect(Collectors.toSet());
    }
    Matcher named = TEST.matcher(page(page));
    Set<String> missing = new TreeSet<>();
    int found = 0;
    while (named.find()) {
      found++;
      if (!files.contains(named.group(1) + ".java")) {
        missing.add(named.group(1));
      }
    }
    assertThat(missing).isEmpty();
    assertThat(found).isGreaterThan(10);
  }

  @Test
  void everyFaultThatIsNamedCanBeRun() throws IOException {
    String faults =
        Files.readString(
            Repository.root().resolve("bench/src/main/java/io/fairlead/bench/faults/Fault.java"));
    Matcher named = FAULT.matcher(page("reliability.md"));
    Set<String> missing = new TreeSet<>();
    while (named.find()) {
      String constant = named.group(1).replace('-', '_').toUpperCase(Locale.ROOT);
      if (!faults.contains("  " + constant + "(")) {
        missing.add(named.group(1));
      }
    }
    assertThat(missing).isEmpty();
  }
}
