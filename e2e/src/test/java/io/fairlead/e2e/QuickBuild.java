package io.fairlead.e2e;

import io.fairlead.kernel.testing.JarredClassPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The classes under test as users have them: in jars, with AOT caches of training runs. A program
/// starts with a third of the processor time that way. Test classes start it hundreds of times.
///
/// @param directory where it lies
public record QuickBuild(Path directory) {
  private static final List<String> CACHES = List.of("commands", "node");
  private static final int LIMIT_MINUTES = 5;
  private static final String CLASSES =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));

  /// Names the directory of a build that is made, for processes that cannot write there.
  public static final String MADE = "fairlead.quick-build";

  /// The one that all test classes of a run share. The first that asks for it makes it; test
  /// processes that ask at the same time wait. It is made again when a class is newer.
  public static QuickBuild shared() {
    return Shared.BUILD;
  }

  /// Made when it is first asked for.
  private static final class Shared {
    static final QuickBuild BUILD = makeShared();
  }

  private static QuickBuild makeShared() {
    String made = System.getProperty(MADE);
    if (made != null) {
      return new QuickBuild(Path.of(made));
    }
    try {
      Path directory = Files.createDirectories(Repository.root().resolve("e2e/target/quick-build"));
      try (FileChannel channel =
              FileChannel.open(
                  directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock _ = channel.lock()) {
        QuickBuild build = new QuickBuild(directory);
        String classes = CLASSES + " " + newestClass();
        Path madeOf = directory.resolve("made-of");
        if (!Files.exists(madeOf) || !Files.readString(madeOf).equals(classes)) {
          Files.deleteIfExists(madeOf);
          in(directory);
          Files.writeString(madeOf, classes);
        }
        return build;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static long newestClass() throws IOException {
    long newest = 0;
    for (String entry : CLASSES.split(":")) {
      if (Files.isDirectory(Path.of(entry))) {
        try (Stream<Path> files = Files.walk(Path.of(entry))) {
          for (Path file : files.filter(Files::isRegularFile).toList()) {
            newest = Math.max(newest, Files.getLastModifiedTime(file).toMillis());
          }
        }
      }
    }
    return newest;
  }

  /// Makes jars of all directories of this process's class path, but for what only tests need, and
  /// trains.
  private static QuickBuild in(Path directory) throws IOException, InterruptedException {
    Path tests = Repository.root().resolve("e2e");
    QuickBuild build = new QuickBuild(directory);
    Files.writeString(
        build.classPath(), JarredClassPath.make(directory, path -> !path.startsWith(tests)));
    Path link = directory.resolve("fairlead");
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, Path.of(java()));
    build.train();
    return build;
  }

  /// The file with the class path.
  public Path classPath() {
    return directory.resolve("classpath");
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /// All caches at the same time. Without one everything works, only slower.
  private void train() throws IOException, InterruptedException {
    List<Process> running = new ArrayList<>();
    for (String cache : CACHES) {
      running.add(
          new ProcessBuilder(
                  Repository.root().resolve("bin/train").toString(),
                  classPath().toString(),
                  directory.toString(),
                  java(),
                  cache)
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve(cache + ".log").toFile())
              .start());
    }
    for (Process process : running) {
      if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
        Stream.concat(process.descendants(), Stream.of(process.toHandle()))
            .toList()
            .forEach(ProcessHandle::destroyForcibly);
      }
    }
  }

  /// Writes a script that starts it as `./fairlead` does. What runs for long is not long enough for
  /// the optimizing compiler either.
  public void launcher(Path script) throws IOException {
    Files.writeString(
        script,
        """
        #!/bin/sh
        called_as=$(basename "$0")
        . %2$s
        caches=%1$s
        case $cache in commands) ;; *) cache=node ;; esac
        aot=
        if [ -s $caches/$cache.aot ]; then aot=-XX:AOTCache=$caches/$cache.aot; fi
        if [ -s $caches/node.aot ]; then
          aot="$aot -Dfairlead.aot=$caches/node.aot -Dfairlead.aot.node=$caches/node.aot"
        fi
        CLASSPATH=$(cat %1$s/classpath)
        export CLASSPATH
        exec 3<<FLAGS
        -Xlog:disable -Xlog:all=error:stderr -XX:+UseSerialGC -Xms20m
        -XX:+UseCompactObjectHeaders -XX:TieredStopAtLevel=1 -XX:-UsePerfData
        -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0 $aot
        --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow
        "-Dfairlead.jvm=$instance" -Dfairlead.called=$called_as "-Dfairlead.program=%1$s/fairlead"
        io.fairlead.app.command.Main
        FLAGS
        exec %1$s/fairlead @/proc/self/fd/3 "$@"
        """
            .formatted(directory, Repository.root().resolve("bin/jvm")));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
