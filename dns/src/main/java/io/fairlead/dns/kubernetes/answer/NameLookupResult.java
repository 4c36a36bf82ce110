package io.fairlead.dns.kubernetes.answer;

/// What a part of the grammar says about a name.
enum NameLookupResult {
  /// No such name.
  MISSING,
  /// The name is there, or may be, without records of its own.
  EMPTY,
  /// It has records.
  FOUND
}
