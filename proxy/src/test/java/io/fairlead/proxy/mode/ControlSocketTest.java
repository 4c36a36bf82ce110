package io.fairlead.proxy.mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The socket through which commands reach a running proxy.
class ControlSocketTest {
  @TempDir private Path directory;

  @Test
  void aRequestThatThrowsDoesNotEndTheSocket() throws IOException {
    Path path = directory.resolve("control.sock");
    AtomicInteger requests = new AtomicInteger();
    try (ControlSocket _ =
        ControlSocket.open(
            path,
            question -> {
              if (requests.incrementAndGet() == 1) {
                throw new IllegalStateException("injected");
              }
              return question;
            })) {
      assertThatThrownBy(() -> ControlSocket.ask(path, Json.object().put("n", 1)))
          .isInstanceOf(Exception.class);
      assertThat(ControlSocket.ask(path, Json.object().put("n", 2)).path("n").asInt()).isEqualTo(2);
    }
    assertThat(Files.exists(path)).isFalse();
  }
}
