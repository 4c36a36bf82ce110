package io.fairlead.bench.api;

import java.io.IOException;
import java.util.List;

/// A server under load.
///
/// @param who the contestant's name
/// @param port its TLS port on loopback
/// @param token what to authenticate with
/// @param processes all its processes, for memory
public record ApiServerUnderTest(String who, int port, String token, List<Process> processes)
    implements AutoCloseable {
  public ApiServerUnderTest {
    processes = List.copyOf(processes);
  }

  /// Resident memory of all processes, MB.
  public double residentMegabytes() {
    return processes.stream().mapToLong(process -> Processes.residentBytes(process.pid())).sum()
        / 1e6;
  }

  /// The most memory that was resident since [#forgetPeak], MB.
  public double peakMegabytes() {
    return processes.stream().mapToLong(process -> Processes.peakBytes(process.pid())).sum() / 1e6;
  }

  /// Resets the peaks.
  void forgetPeak() throws IOException {
    for (Process process : processes) {
      Processes.forgetPeak(process.pid());
    }
  }

  /// Processor time of all processes so far.
  double cpuSeconds() {
    return processes.stream()
            .mapToLong(
                process ->
                    process.info().totalCpuDuration().map(java.time.Duration::toNanos).orElse(0L))
            .sum()
        / 1e9;
  }

  @Override
  public void close() {
    Processes.stop(processes);
  }
}
