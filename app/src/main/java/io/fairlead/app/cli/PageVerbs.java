package io.fairlead.app.cli;

import static io.fairlead.app.cli.Flag.Kind.CHOICE;
import static io.fairlead.app.cli.Flag.Kind.INPUT_FILE;
import static io.fairlead.app.cli.Flag.Kind.PORT;
import static io.fairlead.app.cli.Flag.Kind.TEXT;

import java.util.List;

/// What has to do with the web page: the verb that opens it and the flags that switch it.
final class PageVerbs {
  /// Whether it is served, where, and whether it may change objects.
  static final Flag UI = Flag.of("ui", CHOICE, "auto|on|off").or("auto");

  static final Flag UI_PORT = Flag.of("ui-port", PORT, "PORT").or("6480");
  static final Flag UI_WRITE = Flag.toggle("ui-write");
  static final Flag UI_REMOTE = Flag.toggle("ui-remote");

  /// Lets one browser in.
  static final Verb OPEN =
      new Verb(
          "ui",
          "",
          List.of(),
          List.of(
              Flag.toggle("open"),
              Flag.toggle("serve"),
              Flag.toggle("end-all"),
              UI_PORT,
              Flag.of("output", CHOICE, "json|yaml").shortened("o"),
              Flag.of("kubeconfig", INPUT_FILE, "FILE"),
              Flag.of("master", TEXT, "URL")));

  private PageVerbs() {}
}
