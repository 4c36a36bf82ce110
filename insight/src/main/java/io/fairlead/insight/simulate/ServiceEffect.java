package io.fairlead.insight.simulate;

import io.fairlead.client.ObjectKey;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.Severity;
import java.util.List;
import java.util.Optional;

/// What changes would do to one Service.
///
/// @param before its ready endpoints now
/// @param after its ready endpoints then
/// @param slices what becomes of its slices
/// @param shares of endpoints whose share of new connections changes
/// @param rules of nodes whose rules change
/// @param connections what becomes of those that are open now; empty when no node was asked
/// @param findings those that would arise
/// @param notes what else would be different
public record ServiceEffect(
    ObjectKey key,
    List<PlacedEndpoint> before,
    List<PlacedEndpoint> after,
    SliceEffect slices,
    List<ShareChange> shares,
    List<RuleChange> rules,
    Optional<ConnectionEffect> connections,
    List<Finding> findings,
    List<Sentence> notes) {

  /// An endpoint by the address that its pod has.
  ///
  /// @param pod empty when no pod is known for it
  /// @param given false when no node has given the pod an address yet
  public record PlacedEndpoint(String address, String pod, String node, boolean given) {
    /// Its address, or the name of a pod that has none yet.
    public String shown() {
      return given ? address : pod;
    }
  }

  /// Names of slices.
  public record SliceEffect(List<String> changed, List<String> made, List<String> removed) {
    public SliceEffect {
      changed = List.copyOf(changed);
      made = List.copyOf(made);
      removed = List.copyOf(removed);
    }

    boolean isEmpty() {
      return changed.isEmpty() && made.isEmpty() && removed.isEmpty();
    }
  }

  /// The part of new connections that an endpoint gets, over all nodes.
  public record ShareChange(PlacedEndpoint endpoint, int port, double before, double after) {}

  /// Rules of one node, each as one line of text.
  public record RuleChange(String node, String mode, List<String> added, List<String> removed) {
    public RuleChange {
      added = List.copyOf(added);
      removed = List.copyOf(removed);
    }
  }

  /// How many open connections end, and how many stay.
  public record ConnectionEffect(int ending, int staying) {}

  public ServiceEffect {
    before = List.copyOf(before);
    after = List.copyOf(after);
    shares = List.copyOf(shares);
    rules = List.copyOf(rules);
    findings = List.copyOf(findings);
    notes = List.copyOf(notes);
  }

  /// Whether more than the text of rules changes.
  public boolean isNoticeable() {
    return !before.equals(after)
        || !slices.isEmpty()
        || !shares.isEmpty()
        || !findings.isEmpty()
        || !notes.isEmpty()
        || connections.filter(each -> each.ending() > 0).isPresent();
  }

  boolean isEmpty() {
    return !isNoticeable() && rules.isEmpty();
  }

  public boolean breaks() {
    return findings.stream().anyMatch(finding -> finding.severity() == Severity.FAULT);
  }
}
