package io.fairlead.dns.plugin;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The one order in which plugins stand in a chain, whatever the order in the Corefile. It is
/// CoreDNS's, because Corefiles are written against it.
public final class PluginOrder {
  /// From the client's side inwards.
  public static final List<String> NAMES =
      List.of(
          "root",
          "metadata",
          "cancel",
          "timeouts",
          "multisocket",
          "reload",
          "nsid",
          "bufsize",
          "bind",
          "debug",
          "trace",
          "ready",
          "health",
          "pprof",
          "shed",
          "prometheus",
          "errors",
          "log",
          "local",
          "dns64",
          "any",
          "chaos",
          "loadbalance",
          "rewrite",
          "autopath",
          "acl",
          "cache",
          "header",
          "tls",
          "minimal",
          "template",
          "transfer",
          "hosts",
          "k8s_external",
          "kubernetes",
          "file",
          "auto",
          "loop",
          "forward",
          "whoami",
          "on",
          "view");

  private static final Map<String, Integer> PLACES =
      IntStream.range(0, NAMES.size())
          .boxed()
          .collect(Collectors.toMap(NAMES::get, place -> place));

  private PluginOrder() {}

  /// The place of a plugin; those not in the list come last.
  public static int place(String name) {
    return PLACES.getOrDefault(name, NAMES.size());
  }
}
