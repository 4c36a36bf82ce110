package io.fairlead.dns.errors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.dns.log.AsyncLineWriter;
import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.testing.TestReplies;
import io.fairlead.dns.wire.Rcode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorsPluginTest {
  private static final Handler TIMEOUT =
      _ -> Reply.failed("forward", Rcode.SERVFAIL, "read udp 10.0.0.1:53: i/o timeout");

  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private final SharedResources shared = new SharedResources();
  private final SharedResources.Handle<AsyncLineWriter> taken =
      shared.take(
          AsyncLineWriter.KEY,
          AsyncLineWriter.class,
          () -> new AsyncLineWriter(lines::add, new Metrics()));

  private Rig rig(String config, Handler end) throws SetupException {
    return new Rig(".", config, end, shared, List.of());
  }

  @Test
  void failuresAreTold() throws SetupException {
    try (Rig rig = rig("errors", TIMEOUT)) {
      rig.ask("a.org", "A");
    }
    taken.close();
    assertThat(lines)
        .containsExactly(
            "[ERROR] plugin/errors: SERVFAIL a.org. A: read udp 10.0.0.1:53: i/o timeout");
  }

  @Test
  void answersAreNot() throws SetupException {
    try (Rig rig = rig("errors", _ -> TestReplies.denied(Rcode.NXDOMAIN))) {
      rig.ask("a.org", "A");
    }
    taken.close();
    assertThat(lines).isEmpty();
  }

  @Test
  void pluginsThatThrowAreTold() throws SetupException {
    Handler throwing =
        _ -> {
          throw new IllegalStateException("broken");
        };
    try (Rig rig = rig("errors {\n stacktrace\n}", throwing)) {
      assertThatThrownBy(() -> rig.ask("a.org", "A")).hasMessage("broken");
    }
    taken.close();
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst()).contains("IllegalStateException: broken").contains("\tat ");
  }

  @Test
  void alikeOnesAreToldTogether() throws SetupException {
    String config = "errors {\n consolidate 30s \".* i/o timeout$\" warning\n}";
    try (Rig rig = rig(config, TIMEOUT)) {
      for (int i = 0; i < 5; i++) {
        rig.ask("a.org", "A");
      }
      await().atMost(Duration.ofMinutes(1)).until(() -> rig.time().sleepers() == 1);
      assertThat(lines).isEmpty();
      rig.time().advance(Duration.ofSeconds(30));
      await().atMost(Duration.ofMinutes(1)).until(() -> !lines.isEmpty());
    }
    taken.close();
    assertThat(lines)
        .containsExactly(
            "[WARNING] plugin/errors: 5 errors like '.* i/o timeout$' occurred in last 30s");
  }

  @Test
  void theFirstCanBeShownAtOnce() throws SetupException {
    String config = "errors {\n consolidate 30s timeout error show_first\n}";
    try (Rig rig = rig(config, TIMEOUT)) {
      rig.ask("a.org", "A");
      await().atMost(Duration.ofMinutes(1)).until(() -> lines.size() == 1);
      await().atMost(Duration.ofMinutes(1)).until(() -> rig.time().sleepers() == 1);
      rig.time().advance(Duration.ofSeconds(30));
      await().atMost(Duration.ofMinutes(1)).until(() -> rig.time().sleepers() == 0);
    }
    taken.close();
    assertThat(lines).hasSize(1);
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> rig("errors {\n consolidat 1s x\n}", TIMEOUT))
        .hasMessageContaining("did you mean 'consolidate'?");
    assertThatThrownBy(() -> rig("errors {\n consolidate 0s x\n}", TIMEOUT))
        .hasMessageContaining("more than 0");
    assertThatThrownBy(() -> rig("errors {\n consolidate 1s (\n}", TIMEOUT))
        .hasMessageContaining("no regular expression");
    assertThatThrownBy(() -> rig("errors {\n consolidate 1s x loud\n}", TIMEOUT))
        .hasMessageContaining("'loud' is no level");
  }
}
