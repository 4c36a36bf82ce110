package io.fairlead.bench.api;

import java.util.List;

/// A server under load.
///
/// @param who the contestant's name
/// @param port its TLS port on loopback
/// @param token what to authenticate with
/// @param processes all its processes, for memory
record Target(String who, int port, String token, List<Process> processes)
    implements AutoCloseable {
  Target {
    processes = List.copyOf(processes);
  }

  /// Resident memory of all processes, MB.
  double residentMegabytes() {
    return processes.stream().mapToLong(process -> Processes.residentBytes(process.pid())).sum()
        / 1e6;
  }

  @Override
  public void close() {
    Processes.stop(processes);
  }
}
