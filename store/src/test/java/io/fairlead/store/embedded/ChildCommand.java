package io.fairlead.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.work.SupervisedLoop;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.sqlite.JDBC;

/// How a [KilledChild] is started, as fast as a JVM can be: only the classes it needs, in jars, and
/// a cache of them loaded and linked, made once by a child that ends by itself.
final class ChildCommand {
  private final Path cache;
  private final String classPath;

  private ChildCommand(Path cache, String classPath) {
    this.cache = cache;
    this.classPath = classPath;
  }

  /// Makes the jar and the cache in that directory.
  static ChildCommand prepare(Path directory) throws Exception {
    // A cache is only used for classes from jars, and these tests run from directories.
    Path jar = directory.resolve("child.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      add(out, location(EmbeddedStore.class), "io/fairlead/store");
      if (Files.isDirectory(location(SupervisedLoop.class))) {
        add(out, location(SupervisedLoop.class), "io/fairlead/work");
      }
      add(out, location(KilledChild.class), "io/fairlead/store/embedded/KilledChild.class");
    }
    List<String> classPath = new ArrayList<>(List.of(jar.toString()));
    for (Class<?> type : List.of(SupervisedLoop.class, JDBC.class, Logger.class)) {
      if (Files.isRegularFile(location(type))) {
        classPath.add(location(type).toString());
      }
    }
    ChildCommand command =
        new ChildCommand(directory.resolve("child.aot"), String.join(":", classPath));
    command.train(directory);
    return command;
  }

  private void train(Path directory) throws IOException, InterruptedException {
    Path said = directory.resolve("training.log");
    Process process =
        new ProcessBuilder(
                words("-XX:AOTCacheOutput=" + cache, directory.resolve("training"), 0, 4, 50))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(process.waitFor()).as(() -> read(said)).isZero();
    assertThat(cache).as(() -> read(said)).exists();
  }

  /// Starts a child that writes until it is killed.
  Process start(Path directory, long compactTo, int writers) throws IOException {
    return new ProcessBuilder(
            words("-XX:AOTCache=" + cache, directory, compactTo, writers, Integer.MAX_VALUE))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private List<String> words(String option, Path directory, Object... arguments) {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "--enable-native-access=ALL-UNNAMED",
                option,
                "-cp",
                classPath,
                KilledChild.class.getName(),
                directory.toString()));
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    return words;
  }

  private static Path location(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static void add(JarOutputStream out, Path root, String below) throws IOException {
    try (Stream<Path> files = Files.walk(root.resolve(below))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(root.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
