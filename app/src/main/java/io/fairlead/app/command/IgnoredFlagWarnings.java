package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.CommandContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the operator which flags and fields of another program's command line have no effect here,
/// and why.
final class IgnoredFlagWarnings {
  private static final Logger log = LoggerFactory.getLogger(IgnoredFlagWarnings.class);

  private IgnoredFlagWarnings() {}

  static void log(Arguments arguments, CommandContext context) {
    arguments
        .ignored()
        .forEach(
            ignored ->
                log.atWarn()
                    .log(
                        context.text(
                            "ignored.flag",
                            ignored.name(),
                            context.text("ignored." + ignored.reason()))));
  }
}
