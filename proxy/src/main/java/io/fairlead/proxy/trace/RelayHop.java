package io.fairlead.proxy.trace;

import io.fairlead.proxy.core.RelayedChoice;
import java.util.List;
import java.util.Optional;

/// The hop of a connection that the relay of the userspace mode carried: which endpoints it tried.
final class RelayHop {
  private RelayHop() {}

  /// `10.244.1.7:9376 refused, tried 10.244.2.3:9376, which accepted`.
  static TraceHop of(RelayedChoice choice) {
    List<RelayedChoice.Attempt> all = choice.attempts();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < all.size(); i++) {
      RelayedChoice.Attempt each = all.get(i);
      String place = TraceAnalysis.text(each.address().toString(), each.port());
      if (i == 0) {
        text.append(place).append(' ').append(each.outcome());
      } else {
        text.append(", tried ").append(place).append(", which ").append(each.outcome());
      }
    }
    return TraceHop.of("relay", "relay", text.toString());
  }

  /// Whether the relay found no endpoint that took the connection.
  static boolean failed(Optional<RelayedChoice> choice) {
    return choice.filter(each -> each.accepted().isEmpty()).isPresent();
  }

  /// The port that was tried.
  static String port(Optional<RelayedChoice> choice) {
    return choice.map(each -> "" + each.attempts().getLast().port()).orElse("");
  }
}
