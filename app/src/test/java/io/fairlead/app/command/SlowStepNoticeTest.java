package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.CommandLineHarness;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SlowStepNoticeTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final CommandContext context =
      new CommandLineHarness().context(new ByteArrayOutputStream(), err);

  private String said() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void whatTakesLongIsNamedWhileItGoesOn() {
    String result =
        SlowStepNotice.during(
            context,
            "down.waiting.stop",
            Duration.ofMillis(1),
            () -> {
              await().atMost(Duration.ofMinutes(1)).until(() -> !said().isEmpty());
              return "done";
            });
    assertThat(result).isEqualTo("done");
    assertThat(said()).isEqualTo("   still waiting for: the process to end what it serves\n");
  }

  @Test
  void whatIsQuickSaysNothing() {
    assertThat(SlowStepNotice.during(context, "down.waiting.stop", () -> 7)).isEqualTo(7);
    assertThat(said()).isEmpty();
  }
}
