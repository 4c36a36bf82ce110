package io.fairlead.app.command;

import io.fairlead.app.cli.Terminal.Mark;

/// One thing the doctor saw.
///
/// @param row the row it belongs to, such as `ports`
record Finding(String row, Mark mark, String text) {}
