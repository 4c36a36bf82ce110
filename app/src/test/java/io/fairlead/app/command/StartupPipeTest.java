package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.app.StartupStep;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StartupPipeTest {
  @Test
  void whatIsSentIsReadBack() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StartupPipe pipe = new StartupPipe(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    pipe.began(StartupStep.STORE_AND_API);
    pipe.finished(StartupStep.STORE_AND_API, "https://127.0.0.1:6443");
    pipe.finished(StartupStep.CONTROLLERS, "");
    pipe.failed(4, "错误：\n  原因\n");
    pipe.ready();
    List<StartupPipe.Message> messages =
        bytes
            .toString(StandardCharsets.UTF_8)
            .lines()
            .map(StartupPipe::parse)
            .flatMap(Optional::stream)
            .toList();
    assertThat(messages)
        .containsExactly(
            new StartupPipe.Message.Began(StartupStep.STORE_AND_API),
            new StartupPipe.Message.Finished(StartupStep.STORE_AND_API, "https://127.0.0.1:6443"),
            new StartupPipe.Message.Finished(StartupStep.CONTROLLERS, ""),
            new StartupPipe.Message.Failed(4, "错误：\n  原因\n"),
            new StartupPipe.Message.Ready());
  }

  @Test
  void foreignLinesAreSkipped() {
    for (String line :
        List.of("", "began", "began NOTHING", "problem x y", "OpenJDK warning: whatever")) {
      assertThat(StartupPipe.parse(line)).as(line).isEmpty();
    }
  }
}
