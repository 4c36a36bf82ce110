package io.fairlead.agent.pipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What goes through a pipe, and who waits for whom.
class BoundedPipeTest {
  private static CompletableFuture<Void> writing(BoundedPipe pipe, byte[] bytes) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            for (int done = 0; done < bytes.length; done += 777) {
              pipe.write(bytes, done, Math.min(777, bytes.length - done));
            }
            pipe.finish();
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        },
        Executors.newVirtualThreadPerTaskExecutor());
  }

  @Test
  void everythingArrivesInOrder() throws IOException {
    byte[] bytes = new byte[1_000_000];
    new Random(1).nextBytes(bytes);
    BoundedPipe pipe = new BoundedPipe();
    CompletableFuture<Void> writer = writing(pipe, bytes);
    assertThat(pipe.input().readAllBytes()).isEqualTo(bytes);
    writer.join();
  }

  @Test
  void aWriterWaitsForItsReader() throws Exception {
    BoundedPipe pipe = new BoundedPipe();
    CompletableFuture<Void> writer = writing(pipe, new byte[200_000]);
    byte[] buffer = new byte[1000];
    assertThat(pipe.input().readNBytes(buffer, 0, 1000)).isEqualTo(1000);
    assertThat(writer).isNotDone();
    assertThat(pipe.input().readAllBytes()).hasSize(199_000);
    writer.get(60, TimeUnit.SECONDS);
  }

  @Test
  void nobodyHangsOnAReaderThatHasLeft() throws Exception {
    BoundedPipe pipe = new BoundedPipe();
    CompletableFuture<Void> writer = writing(pipe, new byte[1_000_000]);
    pipe.input().close();
    writer.get(60, TimeUnit.SECONDS);
  }

  @Test
  void aFailureComesAfterWhatWasThere() throws IOException {
    BoundedPipe pipe = new BoundedPipe();
    pipe.write(new byte[] {1, 2}, 0, 2);
    pipe.fail(new IOException("cut"));
    assertThat(pipe.input().readNBytes(2)).containsExactly(1, 2);
    assertThatThrownBy(() -> pipe.input().read()).hasMessage("cut");
  }

  @Test
  void aPumpCarriesAllAndClosesBoth() throws Exception {
    BoundedPipe pipe = new BoundedPipe();
    byte[] bytes = new byte[300_000];
    new Random(2).nextBytes(bytes);
    CompletableFuture<Boolean> closed = new CompletableFuture<>();
    ByteArrayOutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public void close() {
            closed.complete(true);
          }
        };
    Pump pump = Pump.start("test", pipe.input(), out);
    writing(pipe, bytes).join();
    pump.join();
    assertThat(closed.get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(out.toByteArray()).isEqualTo(bytes);
  }
}
