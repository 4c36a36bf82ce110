package io.fairlead.app.command;

import io.fairlead.app.cli.Terminal.Mark;
import java.util.Optional;

/// One thing `doctor` saw.
///
/// @param row what it belongs to
/// @param remedy what can be done about it, when anything can
record DoctorFinding(String row, Mark mark, String text, Optional<Remedy> remedy) {
  DoctorFinding(String row, Mark mark, String text) {
    this(row, mark, text, Optional.empty());
  }
}
