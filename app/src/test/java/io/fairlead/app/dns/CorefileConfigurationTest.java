package io.fairlead.app.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.SetupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Plugins that are not known: left for the server to refuse, or passed over.
class CorefileConfigurationTest {
  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file =
        Files.writeString(
            directory.resolve("Corefile"),
            "example.org {\n whoami\n route53 example.org.:Z1 {\n  fallthrough\n }\n log\n}\n");
  }

  private CorefileConfiguration configuration() {
    return CorefileConfiguration.of(file.toString(), 53, Map.of());
  }

  private static List<String> plugins(CorefileConfiguration configuration) throws SetupException {
    return configuration.read().blocks().getFirst().directives().stream()
        .map(Directive::name)
        .toList();
  }

  @Test
  void areReadLikeAnyOther() throws SetupException {
    assertThat(plugins(configuration())).containsExactly("whoami", "route53", "log");
  }

  @Test
  void arePassedOverWhenAskedTo() throws SetupException {
    CorefileConfiguration skipping = configuration().skippingAllBut(Set.of("whoami", "log"));
    assertThat(plugins(skipping)).containsExactly("whoami", "log");
    assertThat(skipping.read().fingerprint()).isEqualTo(configuration().read().fingerprint());
  }
}
