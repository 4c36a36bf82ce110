package io.fairlead.dns.kubernetes.answer;

/// The result of a lookup in the cluster's data.
public enum ReplyOutcome {
  /// The reply is written.
  ANSWERED,
  /// The name does not exist and other plugins may know it; the reply that says so is written.
  NOT_FOUND,
  /// The name is in none of the zones.
  NOT_OURS,
  /// Nothing is written: [SlowPathAnswers] has to make the reply.
  SLOW_PATH
}
