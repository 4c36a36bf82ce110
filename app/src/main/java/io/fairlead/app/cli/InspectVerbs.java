package io.fairlead.app.cli;

import static io.fairlead.app.cli.Flag.Kind.CHOICE;
import static io.fairlead.app.cli.Flag.Kind.DIRECTORY;
import static io.fairlead.app.cli.Flag.Kind.DURATION;
import static io.fairlead.app.cli.Flag.Kind.INPUT_FILE;
import static io.fairlead.app.cli.Flag.Kind.LIST;
import static io.fairlead.app.cli.Flag.Kind.OUTPUT_FILE;
import static io.fairlead.app.cli.Flag.Kind.PORT;
import static io.fairlead.app.cli.Flag.Kind.TEXT;

import java.util.List;

/// The verbs that look at what a cluster did: recorded changes, how far nodes are, whether they are
/// as they should be; and the one that makes a Service and looks whether it serves.
final class InspectVerbs {
  private static final Flag NAMESPACE = Flag.of("namespace", TEXT, "NAME").shortened("n");
  private static final Flag ALL_NAMESPACES = Flag.toggle("all-namespaces").shortened("A");
  private static final Flag OUTPUT = Flag.of("output", CHOICE, "json|yaml").shortened("o");
  private static final Flag CONTROL = Flag.of("control", TEXT, "PATH");
  private static final Flag DATA_DIR = Flag.of("data-dir", DIRECTORY, "DIR");
  private static final Flag KUBECONFIG = Flag.of("kubeconfig", INPUT_FILE, "FILE");
  private static final Flag MASTER = Flag.of("master", TEXT, "URL");
  private static final Flag SINCE = Flag.of("since", TEXT, "DURATION|TIME").or("1h");
  private static final Flag CLUSTER_DOMAIN =
      Flag.of("cluster-domain", TEXT, "DOMAIN").or("cluster.local");
  private static final Flag SERVER = Flag.of("server", TEXT, "ADDRESS[:PORT]");

  /// What changed, when, why, and how long each node took.
  static final Verb HISTORY =
      new Verb(
          "history",
          "[svc/NAME]",
          List.of(),
          List.of(
              NAMESPACE,
              ALL_NAMESPACES,
              SINCE,
              Flag.of("node", TEXT, "NAME"),
              Flag.toggle("watch").shortened("w"),
              Flag.of("output", CHOICE, "wide|json|yaml").shortened("o"),
              CONTROL,
              DATA_DIR,
              KUBECONFIG,
              MASTER));

  /// Whether nodes are as they should be.
  static final Verb VERIFY =
      new Verb(
          "verify",
          "",
          List.of(),
          List.of(
              Flag.of("node", TEXT, "NAME"),
              Flag.toggle("all-nodes"),
              Flag.toggle("quiet"),
              Flag.toggle("strict"),
              OUTPUT,
              SERVER,
              CLUSTER_DOMAIN,
              CONTROL,
              DATA_DIR,
              KUBECONFIG,
              MASTER));

  /// Waits until a Service is so far.
  static final Verb WAIT =
      new Verb(
          "wait",
          "svc/NAME",
          List.of(),
          List.of(
              NAMESPACE,
              Flag.of("for", TEXT, "programmed|ready|serving[=N]|name").or("programmed"),
              Flag.of("timeout", DURATION, "TIME").or("30s"),
              Flag.of("nodes", LIST, "NAME[,NAME]"),
              OUTPUT,
              SERVER,
              CLUSTER_DOMAIN,
              CONTROL,
              DATA_DIR,
              KUBECONFIG,
              MASTER));

  /// The Service variables of a pod.
  static final Verb ENV =
      new Verb(
          "env",
          "pod/NAME [svc/NAME]",
          List.of(),
          List.of(NAMESPACE, OUTPUT, CONTROL, DATA_DIR, KUBECONFIG, MASTER),
          2);

  /// One archive for those who help.
  static final Verb DUMP =
      new Verb(
          "dump",
          "",
          List.of(),
          List.of(
              NAMESPACE,
              ALL_NAMESPACES,
              Flag.of("output", OUTPUT_FILE, "FILE"),
              SINCE,
              Flag.of("nodes", LIST, "NAME[,NAME]"),
              Flag.of("include-addresses", CHOICE, "full|hashed").or("full"),
              Flag.toggle("json"),
              CONTROL,
              DATA_DIR,
              KUBECONFIG,
              MASTER));

  /// A Service for a workload.
  static final Verb EXPOSE =
      new Verb(
          "expose",
          "deploy/NAME|sts/NAME|ds/NAME|pod/NAME",
          List.of(),
          List.of(
              NAMESPACE,
              Flag.of("port", PORT, "PORT"),
              Flag.of("target-port", TEXT, "NAME|NUMBER"),
              Flag.of("type", CHOICE, "ClusterIP|NodePort|LoadBalancer").or("ClusterIP"),
              Flag.of("name", TEXT, "NAME"),
              Flag.toggle("dry-run"),
              Flag.of("timeout", DURATION, "TIME").or("10s"),
              OUTPUT,
              KUBECONFIG,
              MASTER),
          2);

  private InspectVerbs() {}
}
