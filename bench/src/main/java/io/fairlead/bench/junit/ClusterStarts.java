package io.fairlead.bench.junit;

import io.fairlead.app.EmbeddedCluster;
import io.fairlead.bench.api.Processes;
import java.nio.file.Files;
import java.nio.file.Path;

/// A JVM that starts clusters one after the other, as test classes do, and prints a line with name,
/// unit and value for each figure.
final class ClusterStarts {
  private static final int NEXT = 5;

  private ClusterStarts() {}

  public static void main(String[] words) throws Exception {
    Path directory = Files.createTempDirectory("fairlead-bench-clusters");
    try {
      Path template = directory.resolve("template");
      long start = System.nanoTime();
      try (EmbeddedCluster cluster = EmbeddedCluster.start(directory.resolve("first"))) {
        cluster.createNamespace("test");
        print("first", "ms", (System.nanoTime() - start) / 1e6);
        cluster.writeTemplate(template);
      }
      double total = 0;
      for (int i = 0; i < NEXT; i++) {
        start = System.nanoTime();
        try (EmbeddedCluster cluster =
            EmbeddedCluster.start(template, directory.resolve("next-" + i))) {
          cluster.createNamespace("test-" + i);
          total += (System.nanoTime() - start) / 1e6;
        }
      }
      print("next", "ms", total / NEXT);
      print("memory", "rss_mb", Processes.residentBytes(ProcessHandle.current().pid()) / 1e6);
    } finally {
      Processes.delete(directory);
    }
  }

  private static void print(String name, String unit, double value) {
    System.out.println(name + " " + unit + " " + value);
  }
}
