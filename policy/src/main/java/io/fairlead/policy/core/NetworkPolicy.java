package io.fairlead.policy.core;

import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A NetworkPolicy as it is acted on.
///
/// @param podSelector the pods it applies to; empty when it is invalid, and then to none
/// @param types the directions it isolates
/// @param ingress without meaning when `types` lacks it; so `egress`
/// @param invalid entries that match nothing, in the order of the object
public record NetworkPolicy(
    ObjectMeta metadata,
    Optional<Selector> podSelector,
    Set<Direction> types,
    List<NetworkPolicyRule> ingress,
    List<NetworkPolicyRule> egress,
    List<InvalidEntry> invalid)
    implements HasMetadata {

  /// Where an entry is and why it matches nothing.
  ///
  /// @param path such as `spec.ingress[0].from[1]`
  public record InvalidEntry(String path, String why) {
    /// The path of all rules together: the policy is too large and allows nothing.
    static final String WHOLE = "spec";

    public boolean isTooLarge() {
      return path.equals(WHOLE);
    }
  }

  public NetworkPolicy {
    types = Set.copyOf(types);
    ingress = List.copyOf(ingress);
    egress = List.copyOf(egress);
    invalid = List.copyOf(invalid);
  }

  public ObjectKey key() {
    return metadata.key();
  }

  public String namespace() {
    return metadata.namespace();
  }

  /// Whether its podSelector selects that pod.
  public boolean appliesTo(PolicyPod pod) {
    return pod.namespace().equals(namespace())
        && podSelector.filter(selector -> selector.matches(pod.labels())).isPresent();
  }

  /// The rules of a direction; none when the policy says nothing about it.
  public List<NetworkPolicyRule> rules(Direction direction) {
    if (!types.contains(direction)) {
      return List.of();
    }
    return direction == Direction.INGRESS ? ingress : egress;
  }
}
