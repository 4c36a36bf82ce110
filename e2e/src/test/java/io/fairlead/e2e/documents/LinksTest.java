package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.e2e.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Links from page to page lead somewhere.
class LinksTest {
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

  @Test
  void leadToFilesThatAreThere() throws IOException {
    Path root = Repository.root();
    List<String> dead = new ArrayList<>();
    int seen = 0;
    for (Path page : pages(root)) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        String target = link.group(1).replaceFirst("#.*", "");
        seen++;
        if (!target.isEmpty()
            && !target.matches("[a-z]+:.*")
            && !Files.exists(page.resolveSibling(target))) {
          dead.add(root.relativize(page) + " links to " + target);
        }
      }
    }
    assertThat(dead).isEmpty();
    assertThat(seen).isGreaterThan(20);
  }

  private static List<Path> pages(Path root) throws IOException {
    try (Stream<Path> top = Files.list(root);
        Stream<Path> docs = Files.walk(root.resolve("docs"))) {
      List<Path> pages = new ArrayList<>();
      for (Path each : top.toList()) {
        if (each.toString().endsWith(".md")) {
          pages.add(each);
        } else if (Files.exists(each.resolve("README.md"))) {
          pages.add(each.resolve("README.md"));
        }
      }
      docs.filter(each -> each.toString().endsWith(".md")).forEach(pages::add);
      return pages;
    }
  }
}
