package io.fairlead.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/// What becomes of clusters between and after tests, by test classes that are run inside of one.
@Tag("system")
class ExtensionLifeTest {
  private static final String RUN = "io.fairlead.junit.samples";
  private static final List<URI> SEEN = new ArrayList<>();
  private static final List<Path> FILES = new ArrayList<>();

  private static void saw(TestCluster cluster) {
    SEEN.add(cluster.url());
    FILES.add(cluster.kubeconfig());
  }

  private static EngineExecutionResults run(Class<?>... classes) {
    SEEN.clear();
    FILES.clear();
    EngineTestKit.Builder kit = EngineTestKit.engine("junit-jupiter");
    kit.configurationParameter("junit.jupiter.conditions.deactivate", "*NotBySurefire*");
    for (Class<?> each : classes) {
      kit.selectors(selectClass(each));
    }
    return kit.execute();
  }

  private static boolean answers(URI url) {
    try (Socket _ = new Socket(url.getHost(), url.getPort())) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @FairleadCluster
  static class First {
    @Test
    void sees(TestCluster cluster) {
      saw(cluster);
    }

    @Test
    void seesTheSame(TestCluster cluster) {
      saw(cluster);
    }
  }

  @FairleadCluster
  static class Second {
    @Test
    void sees(TestCluster cluster) {
      saw(cluster);
    }
  }

  @FairleadCluster(scope = FairleadCluster.Scope.SUITE)
  static class Third {
    @Test
    void sees(TestCluster cluster) {
      saw(cluster);
    }
  }

  @FairleadCluster(scope = FairleadCluster.Scope.SUITE)
  static class Fourth extends Third {}

  @FairleadCluster
  static class Failing {
    @Test
    void fails(TestCluster cluster) {
      cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: evidence}}");
      throw new AssertionError("on purpose");
    }
  }

  @Test
  void aClassHasAClusterOfItsOwnAndNothingStays() {
    EngineExecutionResults results = run(First.class, Second.class);
    results.testEvents().assertStatistics(stats -> stats.succeeded(3).failed(0));
    assertThat(SEEN.get(0)).isEqualTo(SEEN.get(1)).isNotEqualTo(SEEN.get(2));
    assertThat(SEEN).noneMatch(ExtensionLifeTest::answers);
    assertThat(FILES).noneMatch(file -> Files.exists(file.getParent()));
  }

  @Test
  void aSuiteSharesOneUntilItsEnd() {
    EngineExecutionResults results = run(Third.class, Fourth.class);
    results.testEvents().assertStatistics(stats -> stats.succeeded(2).failed(0));
    assertThat(SEEN).hasSize(2);
    assertThat(SEEN.get(0)).isEqualTo(SEEN.get(1));
    assertThat(SEEN).noneMatch(ExtensionLifeTest::answers);
    assertThat(FILES).noneMatch(file -> Files.exists(file.getParent()));
  }

  @Test
  void aFailedTestShowsWhatThereWas() {
    List<String> told = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            told.add(record.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(RUN.substring(0, RUN.lastIndexOf('.')));
    logger.addHandler(handler);
    try {
      EngineExecutionResults results = run(Failing.class);
      results.testEvents().assertStatistics(stats -> stats.failed(1));
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(told)
        .singleElement()
        .asString()
        .startsWith("fails(TestCluster) failed. What there is:\nnamespace test-fails-")
        .contains("ConfigMap/evidence");
  }
}
