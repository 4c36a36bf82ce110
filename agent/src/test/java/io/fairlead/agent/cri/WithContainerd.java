package io.fairlead.agent.cri;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// A containerd for all tests of a class, which finds it without pods each time.
@Tag("system")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WithContainerd {
  protected Path directory;
  protected CriFixture lab;

  @BeforeAll
  final void start(@TempDir Path place) throws InterruptedException {
    directory = place;
    lab = CriFixture.start(place);
  }

  @AfterEach
  final void removePods() {
    lab.removePods();
  }

  @AfterAll
  final void stop() throws Exception {
    if (lab != null) {
      lab.close();
    }
  }
}
