package io.fairlead.kernel.ipvs;

/// An address and port the kernel balances, and how.
///
/// @param scheduler the name of the kernel's algorithm, such as `rr`
/// @param flags [#PERSISTENT] and what the scheduler reads
/// @param timeout how many seconds a client keeps its real server; only with [#PERSISTENT]
public record VirtualServer(
    VirtualServerAddress endpoint, String scheduler, int flags, int timeout) {
  /// A client keeps its real server.
  public static final int PERSISTENT = 0x1;

  /// The kernel's own note that it has the server in its table; never written.
  static final int HASHED = 0x2;

  /// For `sh` and `mh`: when the chosen real server has weight 0, take another.
  public static final int SCHEDULER_FALLBACK = 0x8;

  /// For `sh` and `mh`: the client's port is part of the hash.
  public static final int SCHEDULER_PORT = 0x10;

  public VirtualServer {
    flags &= ~HASHED;
  }

  /// As `ipvsadm` would be told: `tcp 10.96.0.1:443 rr`.
  @Override
  public String toString() {
    return endpoint
        + " "
        + scheduler
        + ((flags & PERSISTENT) != 0 ? " persistent " + timeout : "")
        + ((flags & SCHEDULER_PORT) != 0 ? " (flag-2)" : "");
  }
}
