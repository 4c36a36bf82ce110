package io.fairlead.e2e.documents;

import io.fairlead.e2e.QuickBuild;
import io.fairlead.e2e.Repository;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The main class inside a guest: types a page in mode ipvs. Says how long each command took; a lie
/// ends it with an exception.
public final class WalkInGuest {
  /// About the proxy as a process that follows the cluster's configuration, and orders.
  private static final String CONFIGURATION = "cluster-configuration.md";

  /// What can be typed.
  static final List<String> PAGES = List.of(PagesTest.WALKTHROUGH, CONFIGURATION);

  private static final String POLICY = "networkpolicy.yaml";
  private static final String GATE = "gate 10.244.0.0/24";

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private WalkInGuest() {}

  /// @param arguments the name of a page, and where the [QuickBuild] is
  public static void main(String[] arguments) throws IOException {
    MarkdownDocument page =
        arguments[0].equals(CONFIGURATION)
            ? MarkdownDocument.parse(CONFIGURATION, text(CONFIGURATION))
            : MarkdownDocument.read(Repository.root(), arguments[0]);
    System.setProperty(QuickBuild.MADE, arguments[1]);
    Path home = Files.createDirectory(Path.of("/run/walk"));
    try (DocumentSandbox desk = DocumentSandbox.inGuest(home)) {
      DocumentRunner performance = new DocumentRunner(page, desk.shell(), PATIENCE);
      try {
        performance.play(withoutPolicies(page.typedIn("ipvs")));
      } finally {
        performance.took().forEach(System.out::println);
        logs(home);
      }
    }
    // Whatever a page left running must not keep the guest up.
    System.exit(0);
  }

  /// The guest's kernel has no nftables for IPv4: `up` says that it enforces no policies.
  private static List<FencedBlock> withoutPolicies(List<FencedBlock> blocks) {
    return blocks.stream()
        .filter(block -> block.text().stream().noneMatch(line -> line.contains(POLICY)))
        .map(block -> block.with(GATE, "not enforced: the kernel has no nftables …"))
        .toList();
  }

  private static String text(String name) throws IOException {
    try (InputStream stream = WalkInGuest.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException("no resource " + name);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /// What a page sent to files of its home.
  private static void logs(Path home) throws IOException {
    try (var files = Files.newDirectoryStream(home, "*.log")) {
      for (Path file : files) {
        System.out.println(file + "\n" + Files.readString(file));
      }
    }
  }
}
