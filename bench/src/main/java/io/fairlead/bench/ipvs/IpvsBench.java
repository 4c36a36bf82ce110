package io.fairlead.bench.ipvs;

import io.fairlead.kernel.testing.UserModeLinux;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// Boots a user-mode Linux guest, which has IPVS where the machine's own kernel may not, and
/// measures the ipvs mode in it: see [GuestBench]. Only ratios inside the guest mean something.
///
/// Arguments: `[--smoke] [--check] [rounds] [sizes...]`; 7 rounds of 10, 1,000 and 10,000 when left
/// out, and from the API on of 100, 1,000 and 10,000.
public final class IpvsBench {
  private static final Duration LIMIT = Duration.ofHours(2);
  private static final int MEMORY = 1536;
  private static final String HEAP = "-Xmx768m";
  private static final long GLANCE = Duration.ofMillis(500).toNanos();

  private IpvsBench() {}

  public static void main(String[] words) throws IOException, InterruptedException {
    Optional<String> missing = UserModeLinux.missing();
    if (missing.isPresent()) {
      System.err.println("error: no guest can be booted: " + missing.get());
      System.exit(4);
    }
    Path directory = Files.createTempDirectory("flb");
    Path output = directory.resolve("output");
    AtomicBoolean over = new AtomicBoolean();
    Thread shown = Tasks.startPlatform("output", () -> show(output, over));
    UserModeLinux.RunResult ended;
    try {
      ended =
          UserModeLinux.in(directory)
              .withMemory(MEMORY)
              .run(
                  UserModeLinux.java(List.of(HEAP), GuestBench.class.getName(), List.of(words)),
                  LIMIT);
      over.set(true);
      shown.join();
    } finally {
      delete(directory);
    }
    System.exit(ended.exit());
  }

  /// Shows what the guest prints, as it comes, to its end: a whole run takes a while.
  private static void show(Path output, AtomicBoolean over) {
    long seen = 0;
    boolean last;
    do {
      last = over.get();
      if (!last) {
        LockSupport.parkNanos(GLANCE);
      }
      if (Files.exists(output)) {
        try (SeekableByteChannel file = Files.newByteChannel(output)) {
          file.position(seen);
          byte[] more = Channels.newInputStream(file).readAllBytes();
          System.out.write(more, 0, more.length);
          System.out.flush();
          seen += more.length;
        } catch (IOException e) {
          System.err.println("cannot read what the guest prints: " + e.getMessage());
          return;
        }
      }
    } while (!last);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
