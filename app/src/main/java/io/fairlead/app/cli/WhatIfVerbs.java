package io.fairlead.app.cli;

import static io.fairlead.app.cli.Flag.Kind.CHOICE;
import static io.fairlead.app.cli.Flag.Kind.COUNT;
import static io.fairlead.app.cli.Flag.Kind.DIRECTORY;
import static io.fairlead.app.cli.Flag.Kind.DURATION;
import static io.fairlead.app.cli.Flag.Kind.INPUT_FILE;
import static io.fairlead.app.cli.Flag.Kind.NUMBER;
import static io.fairlead.app.cli.Flag.Kind.REPEATED;
import static io.fairlead.app.cli.Flag.Kind.TEXT;

import java.util.List;

/// The verbs that say what a change does to connections: thought through, and watched while it is
/// made.
final class WhatIfVerbs {
  private static final Flag NAMESPACE = Flag.of("namespace", TEXT, "NAME").shortened("n");
  private static final Flag OUTPUT = Flag.of("output", CHOICE, "json|yaml").shortened("o");
  private static final Flag CONTROL = Flag.of("control", TEXT, "PATH");
  private static final Flag DATA_DIR = Flag.of("data-dir", DIRECTORY, "DIR");
  private static final Flag KUBECONFIG = Flag.of("kubeconfig", INPUT_FILE, "FILE");
  private static final Flag MASTER = Flag.of("master", TEXT, "URL");

  /// What a change would do.
  static final Verb SIMULATE =
      new Verb(
          "simulate",
          "[svc/NAME]",
          List.of(),
          List.of(
              NAMESPACE,
              Flag.of("filename", REPEATED, "FILE").shortened("f"),
              Flag.of("label", REPEATED, "pod/NAME=KEY=VALUE"),
              Flag.of("scale", REPEATED, "KIND/NAME=N"),
              Flag.of("kill", REPEATED, "pod/NAME"),
              Flag.of("not-ready", REPEATED, "pod/NAME"),
              Flag.of("down", REPEATED, "node/NAME"),
              Flag.of("mode", CHOICE, "iptables|nftables|ipvs|userspace"),
              Flag.of("node", TEXT, "NAME"),
              Flag.toggle("live"),
              Flag.of("output", CHOICE, "wide|json|yaml").shortened("o"),
              CONTROL,
              DATA_DIR,
              KUBECONFIG,
              MASTER));

  /// Connections while a command runs.
  static final Verb NODROP =
      new Verb(
          "nodrop",
          "svc/NAME [-- COMMAND]",
          List.of(),
          List.of(
              NAMESPACE,
              Flag.of("port", TEXT, "NAME|NUMBER"),
              Flag.of("rate", COUNT, "N").or("200"),
              Flag.of("long", NUMBER, "0-100").or("20"),
              Flag.of("http", TEXT, "PATH"),
              Flag.of("settle", DURATION, "TIME").or("2s"),
              Flag.of("duration", DURATION, "TIME"),
              OUTPUT,
              CONTROL,
              DATA_DIR,
              KUBECONFIG,
              MASTER),
          1000);

  private WhatIfVerbs() {}
}
