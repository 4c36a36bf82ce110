package io.fairlead.e2e.documents;

import java.util.List;

/// A command of a document and what the document says it prints.
///
/// @param line where the command stands, counted from 1
/// @param command may have several lines
record ConsoleCommand(int line, String command, List<String> printed) {
  ConsoleCommand {
    printed = List.copyOf(printed);
  }
}
