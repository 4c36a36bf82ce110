package io.fairlead.policy.core;

/// What a plan has for a key.
///
/// @param number of a class or a grant; 0 in a set
/// @param comment for people
public record PlanValue(int number, String comment) {
  static final PlanValue MEMBER = new PlanValue(0, "");
}
