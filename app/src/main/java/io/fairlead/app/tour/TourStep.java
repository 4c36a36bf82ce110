package io.fairlead.app.tour;

import java.util.List;

/// What a user reads and then runs.
///
/// @param number counted from 1
/// @param text paragraphs and headings before the commands
/// @param commands each may have several lines
/// @param fails whether the last command is meant to fail
public record TourStep(int number, List<String> text, List<String> commands, boolean fails) {
  public TourStep {
    text = List.copyOf(text);
    commands = List.copyOf(commands);
  }
}
