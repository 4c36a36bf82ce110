package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.syscall.SystemCallException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A word for the state of all nftables rules around the calling thread. It is another one after
/// any change of any program, and none comes twice: the same word means the same rules.
public final class RulesetGeneration {
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

  private RulesetGeneration() {}

  /// The present one; empty where it cannot be had.
  public static String now() {
    try (Nftables nftables = Nftables.open()) {
      return Files.readString(BOOT).strip()
          + "/"
          + nftables.namespace()
          + "/"
          + nftables.generation();
    } catch (SystemCallException | IOException _) {
      // A kernel before 5.14, or one that does not let us look.
      return "";
    }
  }
}
