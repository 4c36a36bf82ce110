package io.fairlead.e2e.documents;

import io.fairlead.e2e.Repository;
import io.fairlead.kernel.testing.JarredClassPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The classes under test as users have them: in jars, with AOT caches of training runs. A program
/// starts several times quicker that way, which makes minutes where everything takes long.
///
/// @param directory where it lies
record QuickBuild(Path directory) {
  private static final List<String> CACHES = List.of("commands", "node");
  private static final int LIMIT_MINUTES = 5;

  /// Makes jars of all directories of this process's class path, but for what only tests need, and
  /// trains.
  static QuickBuild in(Path directory) throws IOException, InterruptedException {
    Path tests = Repository.root().resolve("e2e");
    QuickBuild build = new QuickBuild(directory);
    Files.writeString(
        build.classPath(), JarredClassPath.make(directory, path -> !path.startsWith(tests)));
    build.train();
    return build;
  }

  private Path classPath() {
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
  void launcher(Path script) throws IOException {
    Files.writeString(
        script,
        """
        #!/bin/sh
        called_as=$(basename "$0")
        . %3$s
        cache=commands
        case $1 in proxy) cache=node ;; esac
        exec %1$s -Xlog:disable -Xlog:all=error:stderr -XX:+UseSerialGC -Xms20m \\
          -XX:+UseCompactObjectHeaders -XX:TieredStopAtLevel=1 -XX:-UsePerfData \\
          -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0 \\
          -XX:AOTCache=%2$s/$cache.aot -Dfairlead.aot.node=%2$s/node.aot \\
          --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \\
          -Dfairlead.jvm="$instance" -Dfairlead.called="$called_as" -cp "$(cat %2$s/classpath)" \\
          io.fairlead.app.command.Main "$@"
        """
            .formatted(java(), directory, Repository.root().resolve("bin/jvm")));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
