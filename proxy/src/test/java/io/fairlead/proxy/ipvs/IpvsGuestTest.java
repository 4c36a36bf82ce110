package io.fairlead.proxy.ipvs;

import io.fairlead.proxy.guest.GuestClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Everything that needs a kernel with IPVS, in one guest.
@Tag("system")
class IpvsGuestTest {
  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> inTheGuest() throws IOException {
    return GuestClasses.run(
        Files.createDirectory(directory.resolve("guest")),
        Duration.ofMinutes(10),
        List.of(GoldenIpvsInGuest.class, IpvsBehaviourInGuest.class, LiveIpvsFlowsInGuest.class));
  }
}
