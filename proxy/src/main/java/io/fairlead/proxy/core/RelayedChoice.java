package io.fairlead.proxy.core;

import io.fairlead.api.net.IpAddress;
import java.util.List;
import java.util.Optional;

/// What a relay did for one client's connection: which endpoints it tried, in order, and what came
/// of each.
///
/// @param client where the client called from
/// @param clientPort its port there
public record RelayedChoice(IpAddress client, int clientPort, List<Attempt> attempts) {
  /// What came of an endpoint.
  public enum Outcome {
    ACCEPTED("accepted"),
    REFUSED("refused"),
    TOO_SLOW("took too long");

    private final String text;

    Outcome(String text) {
      this.text = text;
    }

    /// For people.
    @Override
    public String toString() {
      return text;
    }
  }

  /// One endpoint that was tried.
  public record Attempt(IpAddress address, int port, Outcome outcome) {}

  public RelayedChoice {
    attempts = List.copyOf(attempts);
  }

  /// The endpoint that took the connection; empty when none did.
  public Optional<Attempt> accepted() {
    return attempts.stream().filter(each -> each.outcome() == Outcome.ACCEPTED).findFirst();
  }
}
