package io.fairlead.policy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.policy.core.ConnectionExplanation;
import io.fairlead.policy.core.Decision;
import io.fairlead.policy.core.Direction;
import io.fairlead.policy.core.IpProtocol;
import io.fairlead.policy.core.Oracle;
import io.fairlead.policy.core.PolicyPort;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Why a connection is not let through, in words, and what would let it.
///
/// @param code `FL160` denied by policies, `FL164` an unknown pod
/// @param text the answer first
/// @param policies those that isolate the pod that drops it
/// @param next what comes nearest to letting it pass; empty when nothing does
public record DropReason(String code, String text, List<String> policies, Optional<String> next) {
  public DropReason {
    policies = List.copyOf(policies);
  }

  static final String DENIED = "FL160";
  static final String UNKNOWN = "FL164";

  /// Empty when the connection is allowed.
  ///
  /// @param shown up to which version the kernel shows pods; empty when that is not known
  static Optional<DropReason> of(
      Oracle oracle,
      String node,
      String shown,
      IpAddress source,
      IpAddress destination,
      int protocol,
      int port,
      Decision decision) {
    return switch (decision) {
      case Decision.Allowed _ -> Optional.empty();
      case Decision.Unknown(IpAddress address) ->
          Optional.of(
              new DropReason(
                  UNKNOWN,
                  "dropped: %s is no pod that node %s knows (yet)%s"
                      .formatted(
                          address, node, shown.isEmpty() ? "" : ": shown up to version " + shown),
                  List.of(),
                  Optional.empty()));
      case Decision.Denied denied -> {
        boolean egress = denied.direction() == Direction.EGRESS;
        String peer = oracle.name(egress ? destination : source);
        String what = what(protocol, port);
        String text =
            egress
                ? "dropped leaving %s: no policy lets it out to %s%s"
                    .formatted(denied.pod().key(), peer, what.isEmpty() ? "" : ":" + what)
                : "dropped at %s: no policy lets %s in%s"
                    .formatted(denied.pod().key(), peer, what.isEmpty() ? "" : " on " + what);
        yield Optional.of(
            new DropReason(
                DENIED,
                text + ". Isolated by " + names(denied.isolatedBy()),
                denied.isolatedBy().stream().map(ObjectKey::toString).toList(),
                denied.nearest().map(rule -> next(denied, rule))));
      }
    };
  }

  /// Why a connection is denied; empty when it is allowed.
  public static Optional<DropReason> of(Oracle oracle, ConnectionExplanation explanation) {
    return explanation
        .denying()
        .flatMap(
            end ->
                of(
                    oracle,
                    "",
                    "",
                    explanation.source(),
                    explanation.destination(),
                    explanation.protocol(),
                    explanation.port(),
                    new Decision.Denied(
                        end.direction(),
                        end.pod().orElseThrow(),
                        end.isolatedBy(),
                        end.nearest(),
                        end.samePeer())));
  }

  private static String what(int protocol, int port) {
    return port == 0 ? IpProtocol.text(protocol) : port + "/" + IpProtocol.text(protocol);
  }

  private static String names(List<ObjectKey> policies) {
    return policies.stream().map(ObjectKey::toString).collect(Collectors.joining(", "));
  }

  private static String next(Decision.Denied denied, Decision.RuleReference rule) {
    String ports =
        rule.portEntries().stream().map(PolicyPort::toString).collect(Collectors.joining(", "));
    String word = denied.direction() == Direction.EGRESS ? "to " : "from ";
    return denied.samePeer()
        ? rule.policy().key() + " allows the same peer on " + ports
        : rule.policy().key() + " allows it " + word + rule.peerEntry();
  }
}
