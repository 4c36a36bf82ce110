package io.fairlead.proxy.faults;

import io.fairlead.kernel.testing.JarredClassPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Starts [Churn], which tests do many times: its classes lie in jars and in a cache of a training
/// run, which is made once. Without the cache it starts slower, and that is all.
public final class ChurnProcess {
  /// Names the directory that another process has prepared.
  private static final String PROPERTY = "fairlead.churn";

  private static final int LIMIT_MINUTES = 2;
  private static final String CLASS_PATH = "classpath";
  private static final String CACHE = "churn.aot";

  private ChurnProcess() {}

  /// The words that start it.
  ///
  /// @param first the number of the first plan
  public static List<String> command(String mode, String namespace, int first) {
    Path directory = prepare();
    List<String> words = new ArrayList<>(java(directory));
    words.add("-XX:AOTCache=" + directory.resolve(CACHE));
    words.addAll(List.of(Churn.class.getName(), mode, namespace, Integer.toString(first)));
    return words;
  }

  private static List<String> java(Path directory) {
    try {
      return List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-Xlog:disable",
          "-Xlog:all=error:stderr",
          "-Xmx320m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:-UsePerfData",
          "--enable-native-access=ALL-UNNAMED",
          "-cp",
          Files.readString(directory.resolve(CLASS_PATH)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Makes jars and cache, if that was not done. Guests of this process find them too.
  public static synchronized Path prepare() {
    String prepared = System.getProperty(PROPERTY);
    if (prepared != null) {
      return Path.of(prepared);
    }
    try {
      Path directory = Files.createTempDirectory("churn");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
      Files.writeString(
          directory.resolve(CLASS_PATH), JarredClassPath.make(directory, path -> true));
      train(directory);
      System.setProperty(PROPERTY, directory.toString());
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void train(Path directory) throws IOException {
    List<String> words = new ArrayList<>(java(directory));
    words.add("-XX:AOTCacheOutput=" + directory.resolve(CACHE));
    words.add(ChurnTraining.class.getName());
    Process process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("training.log").toFile())
            .start();
    try {
      if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException _) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
