package io.fairlead.kernel.syscall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Programs that have a terminal without a screen.
@Tag("system")
class PseudoTerminalTest {
  /// Runs a line of shell in a session whose terminal is this one.
  private static Process run(PseudoTerminal terminal, String line) throws IOException {
    return new ProcessBuilder(
            // Who put this JVM into the background may have made it ignore Ctrl-C.
            "env",
            "--default-signal",
            "setsid",
            "--wait",
            "sh",
            "-c",
            "exec sh -c \"$1\" <\"$0\" >\"$0\" 2>&1",
            terminal.device().toString(),
            line)
        .start();
  }

  private static CompletableFuture<String> output(PseudoTerminal terminal) {
    CompletableFuture<String> all = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon(true)
        .start(
            () -> {
              ByteArrayOutputStream read = new ByteArrayOutputStream();
              byte[] buffer = new byte[1000];
              for (int count = terminal.read(buffer); count >= 0; count = terminal.read(buffer)) {
                read.write(buffer, 0, count);
              }
              all.complete(read.toString(StandardCharsets.UTF_8));
            });
    return all;
  }

  private static void type(PseudoTerminal terminal, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    terminal.write(bytes, 0, bytes.length);
  }

  @Test
  void aProgramHasATerminalOfTheGivenSize() throws Exception {
    try (PseudoTerminal terminal = PseudoTerminal.open()) {
      terminal.resize(123, 45);
      CompletableFuture<String> output = output(terminal);
      Process process = run(terminal, "test -t 0 && test -t 1 && stty size && tty");
      assertThat(output.get(60, TimeUnit.SECONDS))
          .isEqualTo("45 123\r\n" + terminal.device() + "\r\n");
      assertThat(process.waitFor()).isZero();
    }
  }

  @Test
  void whatIsTypedIsRead() throws Exception {
    try (PseudoTerminal terminal = PseudoTerminal.open()) {
      CompletableFuture<String> output = output(terminal);
      Process process =
          run(terminal, "stty -echo; echo go; read name; echo hello $name; cat; exit 7");
      type(terminal, "world\n");
      type(terminal, "\u0004");
      assertThat(output.get(60, TimeUnit.SECONDS)).contains("hello world\r\n");
      assertThat(process.waitFor()).isEqualTo(7);
    }
  }

  @Test
  void controlCInterrupts() throws Exception {
    try (PseudoTerminal terminal = PseudoTerminal.open()) {
      CompletableFuture<String> output = output(terminal);
      Process process =
          run(terminal, "trap 'echo caught; exit 9' INT; echo ready; while :; do sleep 0.1; done");
      byte[] interrupt = {3};
      // Typed until it is seen: the trap may not be set yet.
      while (!process.waitFor(100, TimeUnit.MILLISECONDS)) {
        terminal.write(interrupt, 0, 1);
      }
      assertThat(output.get(60, TimeUnit.SECONDS)).isNotNull();
      assertThat(process.exitValue()).isIn(9, 130);
    }
  }

  @Test
  void closingEndsAReader() throws Exception {
    PseudoTerminal terminal = PseudoTerminal.open();
    CompletableFuture<String> output = output(terminal);
    terminal.close();
    terminal.close();
    assertThat(output.get(60, TimeUnit.SECONDS)).isEmpty();
    assertThatThrownBy(() -> type(terminal, "x")).isInstanceOf(IOException.class);
  }

  @Test
  void drainingEndsThoughAProgramStaysInTheBackground() throws Exception {
    try (PseudoTerminal terminal = PseudoTerminal.open()) {
      CompletableFuture<String> output = output(terminal);
      Process process = run(terminal, "trap '' HUP; sleep 100 & echo $! ; echo done");
      process.waitFor();
      terminal.drain();
      String printed = output.get(60, TimeUnit.SECONDS);
      assertThat(printed).endsWith("done\r\n");
      ProcessHandle.of(Long.parseLong(printed.lines().findFirst().orElseThrow()))
          .ifPresent(ProcessHandle::destroyForcibly);
    }
  }
}
