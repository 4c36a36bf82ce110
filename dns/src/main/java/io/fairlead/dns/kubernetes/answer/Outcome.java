package io.fairlead.dns.kubernetes.answer;

/// What came of a look into the cluster's data.
public enum Outcome {
  /// The reply is written.
  ANSWERED,
  /// The name does not exist and other plugins may know it; the reply that says so is written.
  NOT_FOUND,
  /// The name is in none of the zones.
  NOT_OURS,
  /// Nothing is written: it takes more than a look-up.
  RARE
}
