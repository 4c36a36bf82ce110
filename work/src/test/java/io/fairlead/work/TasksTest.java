package io.fairlead.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TasksTest {
  @Test
  void aTaskThatThrowsEndsOnlyItself() throws Exception {
    Thread thread =
        Tasks.start(
            "throws",
            () -> {
              throw new java.io.IOException("x");
            });
    assertThat(thread.join(Duration.ofSeconds(5))).isTrue();
  }

  @Test
  void aSequentialExecutorOutlivesATaskThatThrows() throws Exception {
    try (ScheduledExecutorService tasks = Tasks.sequential("sequence")) {
      tasks.execute(
          () -> {
            throw new IllegalStateException("x");
          });
      assertThat(tasks.schedule(() -> "done", 1, TimeUnit.MILLISECONDS).get(60, TimeUnit.SECONDS))
          .isEqualTo("done");
    }
  }
}
