package io.fairlead.proxy.userspace.relay;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.RelayedChoice;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The newest choices of a relay, for those who ask where a connection went. The threads of the
/// relay write, any thread reads; the oldest is forgotten first.
final class RelayedChoices {
  static final int KEPT = 1024;

  // Guarded by this.
  private final @Nullable RelayedChoice[] newest = new RelayedChoice[KEPT];
  private int next;

  synchronized void add(RelayedChoice choice) {
    newest[next] = choice;
    next = (next + 1) % KEPT;
  }

  /// The newest choice for that client's port.
  synchronized Optional<RelayedChoice> find(IpAddress client, int clientPort) {
    for (int i = 1; i <= KEPT; i++) {
      RelayedChoice each = newest[Math.floorMod(next - i, KEPT)];
      if (each == null) {
        return Optional.empty();
      }
      if (each.clientPort() == clientPort && each.client().equals(client)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }
}
