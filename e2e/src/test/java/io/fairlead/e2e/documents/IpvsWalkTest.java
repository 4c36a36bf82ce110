package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.e2e.Repository;
import io.fairlead.kernel.testing.Guest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The walkthrough in mode ipvs, in a guest whose kernel has IPVS, and a proxy there that is led to
/// that mode by the cluster's configuration. It takes minutes, so it is run by hand only: `mvn -pl
/// e2e -am test -Dtest=IpvsWalkTest -Dtest.exclude=none -Dsurefire.failIfNoSpecifiedTests=false`.
@Tag("bench")
class IpvsWalkTest {
  private static final int MEMORY = 2048;

  /// A `/tmp` that can be written to, with what the machine has there; then from inside of the
  /// repository.
  private static final String PREPARED =
      """
      mkdir /run/outside && mount --rbind /tmp /run/outside && mount -t tmpfs tmpfs /tmp || exit 1
      for each in /run/outside/*; do
        case $each in */hsperfdata_*) continue ;; esac
        if [ -d "$each" ]; then
          mkdir "/tmp/${each##*/}" && mount --rbind "$each" "/tmp/${each##*/}" || exit 1
        fi
      done
      cd "$1" && shift && exec "$@"
      """;

  @TempDir Path directory;

  @Test
  void holdsInTheGuest() throws IOException {
    Desk.assumeItCanBeHad();
    assertThat(Guest.missing()).as("what a guest needs").isEmpty();
    List<String> words =
        new ArrayList<>(List.of("sh", "-c", PREPARED, "sh", Repository.root().toString(), "env"));
    Optional.ofNullable(System.getenv("FAIRLEAD_TEST_KUBECTL"))
        .ifPresent(kubectl -> words.add("FAIRLEAD_TEST_KUBECTL=" + kubectl));
    words.addAll(Guest.java(List.of(), WalkInGuest.class.getName(), List.of()));
    Guest.Ended ended =
        Guest.in(Files.createDirectory(directory.resolve("guest")))
            .withMemory(MEMORY)
            .run(words, Duration.ofMinutes(15));
    assertThat(ended.exit()).as(ended.output()).isZero();
  }
}
