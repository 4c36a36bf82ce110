package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.app.Step;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PipeTest {
  @Test
  void whatIsSentIsReadBack() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Pipe pipe = new Pipe(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    pipe.began(Step.STORE_AND_API);
    pipe.finished(Step.STORE_AND_API, "https://127.0.0.1:6443");
    pipe.finished(Step.CONTROLLERS, "");
    pipe.failed(4, "错误：\n  原因\n");
    pipe.ready();
    List<Pipe.Message> messages =
        bytes
            .toString(StandardCharsets.UTF_8)
            .lines()
            .map(Pipe::parse)
            .flatMap(Optional::stream)
            .toList();
    assertThat(messages)
        .containsExactly(
            new Pipe.Message.Began(Step.STORE_AND_API),
            new Pipe.Message.Finished(Step.STORE_AND_API, "https://127.0.0.1:6443"),
            new Pipe.Message.Finished(Step.CONTROLLERS, ""),
            new Pipe.Message.Failed(4, "错误：\n  原因\n"),
            new Pipe.Message.Ready());
  }

  @Test
  void foreignLinesAreSkipped() {
    for (String line :
        List.of("", "began", "began NOTHING", "problem x y", "OpenJDK warning: whatever")) {
      assertThat(Pipe.parse(line)).as(line).isEmpty();
    }
  }
}
