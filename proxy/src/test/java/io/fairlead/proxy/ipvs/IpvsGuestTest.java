package io.fairlead.proxy.ipvs;

import io.fairlead.proxy.faults.ChurnProcess;
import io.fairlead.proxy.faults.IpvsFaultsInGuest;
import io.fairlead.proxy.mode.ModeChangeInGuest;
import io.fairlead.proxy.testing.GuestClasses;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Everything that needs a kernel with IPVS, in two guests.
@Tag("system")
class IpvsGuestTest {
  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> inTheGuest() throws IOException {
    Path _ = ChurnProcess.prepare();
    return GuestClasses.run(
        directory,
        Duration.ofMinutes(10),
        List.of(GoldenIpvsInGuest.class, LiveIpvsFlowsInGuest.class),
        List.of(
            IpvsBehaviourInGuest.class,
            KilledIpvsInGuest.class,
            IpvsFaultsInGuest.class,
            ModeChangeInGuest.class));
  }
}
