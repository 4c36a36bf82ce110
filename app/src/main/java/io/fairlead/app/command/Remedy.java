package io.fairlead.app.command;

/// What `doctor --fix` can do about a finding.
interface Remedy {
  /// Does it and tells what it did, or what it would do where the rights are missing.
  DoctorFinding apply();
}
