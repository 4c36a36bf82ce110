package io.fairlead.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Rig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every plugin has a page beside its code, and the server loads the example on it. The page is
/// `<plugin>.md` where a package holds several plugins, else `README.md`.
class PluginPagesTest {
  private static final Path SOURCES = Path.of("src/main/java");
  private static final Pattern EXAMPLE = Pattern.compile("```corefile\n(.*?)```", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("\\((src/[^)]*)\\)");
  private static final String ZONE =
      """
      $ORIGIN example.org.
      @ 300 IN SOA ns host 1 7200 1800 86400 60
      @ 300 IN NS ns
      ns 300 IN A 192.0.2.1
      """;

  @TempDir Path directory;

  static Collection<Path> pages() {
    return StandardPlugins.byName().values().stream()
        .map(PluginPagesTest::page)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Path page(PluginFactory factory) {
    Path code = SOURCES.resolve(factory.getClass().getPackageName().replace('.', '/'));
    Path own = code.resolve(factory.name() + ".md");
    return Files.exists(own) ? own : code.resolve("README.md");
  }

  @ParameterizedTest
  @MethodSource("pages")
  void loads(Path page) throws Exception {
    Files.writeString(directory.resolve("db.example.org"), ZONE);
    Matcher found = EXAMPLE.matcher(Files.readString(page));
    assertThat(found.find()).as("an example").isTrue();
    String example = found.group(1).replace("/etc/coredns", directory.toString());
    if (example.contains("tls.crt")) {
      // Without the files it gets as far as reading them.
      assertThatThrownBy(() -> new Rig(example, Rig.refusing()))
          .isInstanceOf(SetupException.class)
          .hasMessageContaining(directory.resolve("tls.crt").toString());
      return;
    }
    try (Rig rig = new Rig(example, Rig.refusing())) {
      assertThat(rig.plugins()).isNotEmpty();
    }
  }

  @Test
  void allAreListed() throws IOException {
    String list = Files.readString(Path.of("PLUGINS.md"));
    Set<String> unlisted =
        pages().stream()
            .map(Path::toString)
            .filter(page -> !list.contains("(" + page + ")"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(unlisted).isEmpty();
  }

  @Test
  void everyListedPageIsThere() throws IOException {
    Set<String> listed =
        LINK.matcher(Files.readString(Path.of("PLUGINS.md")))
            .results()
            .map(link -> link.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(listed).containsExactlyElementsOf(pages().stream().map(Path::toString).toList());
  }
}
