package io.fairlead.bench.ipvs;

import io.fairlead.kernel.testing.Guest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Boots a user-mode Linux guest, which has IPVS where the machine's own kernel may not, and
/// measures the ipvs mode in it: see [GuestBench]. Only ratios inside the guest mean something.
///
/// Arguments: `[--smoke] [--check] [rounds] [sizes...]`; 7 rounds of 10, 1,000 and 10,000 when left
/// out.
public final class IpvsBench {
  private static final Duration LIMIT = Duration.ofHours(2);
  private static final int MEMORY = 1024;

  private IpvsBench() {}

  public static void main(String[] words) throws IOException {
    Optional<String> missing = Guest.missing();
    if (missing.isPresent()) {
      System.err.println("error: no guest can be booted: " + missing.get());
      System.exit(4);
    }
    Path directory = Files.createTempDirectory("flb");
    Guest.Ended ended;
    try {
      ended =
          Guest.in(directory)
              .withMemory(MEMORY)
              .run(Guest.java(List.of(), GuestBench.class.getName(), List.of(words)), LIMIT);
    } finally {
      delete(directory);
    }
    System.out.print(ended.output());
    System.exit(ended.exit());
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
