package io.fairlead.proxy.ipvs;

import io.fairlead.kernel.ipvs.VirtualServer;
import java.util.List;

/// The kernel's ways to choose a real server. Each is a module of its own, loaded when a virtual
/// server asks for it.
public final class Schedulers {
  public static final String DEFAULT = "rr";

  /// The annotation, without its prefix, by which a Service chooses its own.
  public static final String OPTION = "ipvs-scheduler";

  private static final List<String> KNOWN =
      List.of(
          "rr", "wrr", "lc", "wlc", "lblc", "lblcr", "sh", "dh", "sed", "nq", "fo", "ovf", "mh",
          "twos");

  private Schedulers() {}

  /// Whether it is one we have heard of; the kernel may have others.
  public static boolean isKnown(String name) {
    return KNOWN.contains(name);
  }

  /// What is said of one the kernel does not have.
  public static String missing(String name) {
    return "the kernel has no IPVS scheduler "
        + name
        + (isKnown(name)
            ? " (module ip_vs_" + name + " cannot be loaded)"
            : "; known are " + String.join(", ", KNOWN));
  }

  /// Flags a scheduler is given: `mh` hashes the client's port too.
  static int flags(String name) {
    return name.equals("mh") ? VirtualServer.SCHEDULER_PORT : 0;
  }
}
