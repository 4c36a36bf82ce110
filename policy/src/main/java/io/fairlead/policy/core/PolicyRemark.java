package io.fairlead.policy.core;

import io.fairlead.client.ObjectKey;
import java.util.Optional;

/// Something in a policy that its author has probably not meant; see [PolicyReview].
public sealed interface PolicyRemark {
  /// A label that pods have and that comes near to one they lack.
  ///
  /// @param label `app=web`
  /// @param pods how many have it
  record NearLabel(String label, int pods) {}

  /// An entry is invalid, or all of the policy is too large.
  record MatchesNothing(ObjectKey policy, NetworkPolicy.InvalidEntry entry)
      implements PolicyRemark {
    @Override
    public String reason() {
      return entry.isTooLarge() ? "PolicyTooLarge" : "InvalidEntry";
    }

    @Override
    public String message() {
      return entry.isTooLarge()
          ? policy + " has " + entry.why()
          : entry.path() + " matches nothing: " + entry.why();
    }
  }

  /// Its podSelector selects no pod.
  record AppliesToNoPod(ObjectKey policy, Selector selector, Optional<NearLabel> nearest)
      implements PolicyRemark {
    @Override
    public String reason() {
      return SELECTS_NOTHING;
    }

    @Override
    public String message() {
      String near =
          nearest
              .map(
                  one ->
                      "; %d %s %s"
                          .formatted(
                              one.pods(), one.pods() == 1 ? "pod has" : "pods have", one.label()))
              .orElse("");
      return "FL166 %s applies to no pod: %s%s".formatted(policy, selector, near);
    }
  }

  /// An entry of `from` or `to` selects no pod.
  ///
  /// @param rule the place of its rule
  /// @param peer its place in the rule
  record PeerMatchesNoPod(
      ObjectKey policy, Direction direction, int rule, int peer, PolicyPeer.Pods pods)
      implements PolicyRemark {
    /// `ingress[0].from[1]`.
    public String path() {
      return "%s[%d].%s[%d]"
          .formatted(direction, rule, direction == Direction.INGRESS ? "from" : "to", peer);
    }

    @Override
    public String reason() {
      return SELECTS_NOTHING;
    }

    @Override
    public String message() {
      return "FL166 spec.%s of %s matches no pod: %s".formatted(path(), policy, pods);
    }
  }

  /// A port is named that no container of the selected pods has.
  ///
  /// @param pods how many are selected
  record PortUnresolved(ObjectKey policy, PortName name, int pods) implements PolicyRemark {
    @Override
    public String reason() {
      return "NamedPortUnresolved";
    }

    @Override
    public String message() {
      return "FL167 port %s of %s: no container of the %d pods has it"
          .formatted(name, policy, pods);
    }
  }

  /// The reason of an Event about it.
  String SELECTS_NOTHING = "PolicySelectsNothing";

  /// One word for programs: the reason of the Event.
  String reason();

  /// For people, in English.
  String message();
}
