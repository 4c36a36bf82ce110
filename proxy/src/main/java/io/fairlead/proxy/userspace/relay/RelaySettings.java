package io.fairlead.proxy.userspace.relay;

import java.time.Duration;

/// How large a relay is.
///
/// @param threads each serves sockets of its own
/// @param bufferBytes how much is moved at once, and what one direction may hold back
/// @param buffers how many directions of a thread may hold something back at a time; then bytes of
///   others leave the kernel only when they can be written
/// @param udpIdle after how long without a datagram a client's conversation ends
/// @param udpFlows how many UDP conversations a thread keeps; then the one idle longest ends
/// @param looking for how long a busy thread looks for news before it sleeps; zero for not at all
public record RelaySettings(
    int threads, int bufferBytes, int buffers, Duration udpIdle, int udpFlows, Duration looking) {
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int BUFFERS = 512;
  private static final int UDP_FLOWS = 16_384;
  private static final int MOST_THREADS = 8;
  private static final Duration LOOKING = Duration.ofNanos(50_000);

  /// The original's: a quarter of a second.
  public static final Duration UDP_IDLE = Duration.ofMillis(250);

  public RelaySettings {
    if (threads < 1 || bufferBytes < BUFFER_BYTES || buffers < 1 || udpFlows < 1) {
      throw new IllegalArgumentException("a relay needs threads, buffers of 64 KiB, and flows");
    }
  }

  /// For a machine with so many processors: half of them, for their clients need some too. With one
  /// only, a thread that looks for news would keep others from making any.
  public static RelaySettings forProcessors(int processors) {
    int threads = Math.clamp(processors / 2, 1, MOST_THREADS);
    return new RelaySettings(
        threads,
        BUFFER_BYTES,
        BUFFERS,
        UDP_IDLE,
        UDP_FLOWS,
        processors > 1 ? LOOKING : Duration.ZERO);
  }

  public RelaySettings withUdpIdle(Duration other) {
    return new RelaySettings(threads, bufferBytes, buffers, other, udpFlows, looking);
  }

  public RelaySettings withThreads(int other) {
    return new RelaySettings(other, bufferBytes, buffers, udpIdle, udpFlows, looking);
  }

  public RelaySettings withBuffers(int other) {
    return new RelaySettings(threads, bufferBytes, other, udpIdle, udpFlows, looking);
  }

  public RelaySettings withUdpFlows(int other) {
    return new RelaySettings(threads, bufferBytes, buffers, udpIdle, other, looking);
  }

  public RelaySettings withLooking(Duration other) {
    return new RelaySettings(threads, bufferBytes, buffers, udpIdle, udpFlows, other);
  }
}
