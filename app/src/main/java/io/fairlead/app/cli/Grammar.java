package io.fairlead.app.cli;

import static io.fairlead.app.cli.Flag.Kind.CHOICE;
import static io.fairlead.app.cli.Flag.Kind.COUNT;
import static io.fairlead.app.cli.Flag.Kind.DIRECTORY;
import static io.fairlead.app.cli.Flag.Kind.DURATION;
import static io.fairlead.app.cli.Flag.Kind.FREE;
import static io.fairlead.app.cli.Flag.Kind.INPUT_FILE;
import static io.fairlead.app.cli.Flag.Kind.LIST;
import static io.fairlead.app.cli.Flag.Kind.NUMBER;
import static io.fairlead.app.cli.Flag.Kind.OUTPUT_FILE;
import static io.fairlead.app.cli.Flag.Kind.PORT;
import static io.fairlead.app.cli.Flag.Kind.REPEATED;
import static io.fairlead.app.cli.Flag.Kind.SECONDS;
import static io.fairlead.app.cli.Flag.Kind.TEXT;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Every verb and flag there is: parsing, help and shell completion all read this table.
public final class Grammar {
  /// Flags every verb has.
  static final List<Flag> COMMON =
      List.of(
          Flag.toggle("help").shortened("h"),
          Flag.of("v", NUMBER, "0-9").or("0"),
          Flag.of("color", CHOICE, "auto|always|never").or("auto"));

  private static final Flag DATA_DIR = Flag.of("data-dir", DIRECTORY, "DIR");
  private static final Flag RUNTIME = Flag.of("runtime", CHOICE, "auto|builtin|cri").or("auto");
  private static final Flag CONTAINERD =
      Flag.of("containerd", TEXT, "SOCKET|private").or("/run/containerd/containerd.sock");
  private static final Flag ROUTE_MODE =
      Flag.of("route-mode", CHOICE, "routes|vxlan|auto|none").or("routes");
  private static final Flag CNI = Flag.of("cni-conf-dir", DIRECTORY, "DIR");
  private static final Flag CGROUP_ROOT = Flag.of("cgroup-root", TEXT, "PATH").or("/");
  private static final Flag NODE_GRACE =
      Flag.of("node-monitor-grace-period", DURATION, "TIME").or("50s");
  private static final Flag OUTPUT = Flag.of("output", CHOICE, "json|yaml").shortened("o");
  private static final Flag LOGGING_FORMAT =
      Flag.of("logging-format", CHOICE, "text|json").or("text");
  private static final Flag BIRD_DIRECTORY =
      Flag.of("bird-directory", TEXT, "PATH").or("/run/fairlead/bird");
  private static final Flag BIRD_INCLUDE = Flag.of("bird-include", TEXT, "FILE");
  private static final Flag BIRD_CONTROL = Flag.of("bird-control", TEXT, "PATH");
  private static final Flag BIND_ADDRESS = Flag.of("bind-address", TEXT, "ADDRESS");
  private static final Flag EXTERNAL_IPS =
      Flag.of("allow-service-external-ips", CHOICE, "true|false").or("false");
  private static final Flag CLUSTER_ADDRESSES =
      Flag.of("allow-load-balancer-cluster-addresses", CHOICE, "true|false").or("false");
  private static final Flag LOAD_BALANCER_POOL =
      Flag.of("load-balancer-pool", REPEATED, "[NAME=]RANGE[,RANGE][;OPTION]|none");
  private static final Flag DEFAULT_LOAD_BALANCER =
      Flag.of("default-load-balancer", CHOICE, "true|false");
  private static final Flag PROMISCUOUS = Flag.toggle("announce-promiscuous");
  private static final Flag NODE_PORTS =
      Flag.of("service-node-port-range", TEXT, "FIRST-LAST").or("30000-32767");
  private static final Flag TOKENS = Flag.of("token-auth-file", INPUT_FILE, "FILE");
  private static final Flag EMULATED =
      Flag.of("emulated-version", TEXT, "1.NN").or(FairleadVersion.KUBERNETES);

  private static final Flag EVENT_TTL = Flag.of("event-ttl", DURATION, "TIME").or("1h");

  /// A file with further flags.
  static final Flag CONFIG = Flag.of("config", INPUT_FILE, "FILE");

  /// Its name.
  public static final String CONFIG_FLAG = CONFIG.name();

  /// The DNS server alone. Its flags may be written with one dash, as CoreDNS's are.
  static final String DNS_SERVER = "dns-server";

  private static final Flag MAX_PODS = Flag.of("max-pods", COUNT, "N").or("110");

  /// Everything on this machine.
  public static final Verb UP =
      new Verb(
          "up",
          "",
          List.of(),
          List.of(
              DATA_DIR,
              Flag.of("api-port", PORT, "PORT").or("6443"),
              BIND_ADDRESS.or("127.0.0.1"),
              Flag.of("kubeconfig", OUTPUT_FILE, "FILE"),
              Flag.of("service-cidr", LIST, "CIDR[,CIDR]").or("10.96.0.0/12"),
              NODE_PORTS,
              EXTERNAL_IPS,
              CLUSTER_ADDRESSES,
              LOAD_BALANCER_POOL,
              DEFAULT_LOAD_BALANCER.or("true"),
              PROMISCUOUS,
              TOKENS,
              Flag.of("tls-san", LIST, "NAME[,NAME]"),
              EVENT_TTL,
              EMULATED,
              Flag.of("agent", CHOICE, "auto|on|off").or("auto"),
              Flag.of("pod-cidr", LIST, "CIDR[,CIDR]").or("10.244.0.0/24"),
              Flag.of("cluster-cidr", LIST, "CIDR[,CIDR]"),
              MAX_PODS,
              NODE_GRACE,
              RUNTIME,
              CONTAINERD,
              ROUTE_MODE,
              CNI,
              CGROUP_ROOT,
              Flag.of("proxy", CHOICE, "auto|on|off").or("auto"),
              Flag.of("policy", CHOICE, "auto|on|off").or("auto"),
              Flag.of("proxy-mode", CHOICE, "auto|nftables|iptables|ipvs|userspace"),
              Flag.toggle("strict-mode"),
              Flag.of("dns", CHOICE, "auto|on|off").or("auto"),
              PageVerbs.UI,
              PageVerbs.UI_PORT,
              PageVerbs.UI_WRITE,
              PageVerbs.UI_REMOTE,
              CONFIG,
              Flag.toggle("lab"),
              Flag.toggle("foreground"),
              Flag.of("timeout", SECONDS, "SECONDS").or("60"),
              LOGGING_FORMAT));

  /// The API server alone.
  public static final Verb APISERVER =
      new Verb(
          "apiserver",
          "",
          List.of(),
          List.of(
              Flag.of("secure-port", PORT, "PORT").or("6443"),
              BIND_ADDRESS.or("0.0.0.0"),
              Flag.of("advertise-address", TEXT, "ADDRESS"),
              DATA_DIR,
              Flag.of("etcd-servers", LIST, "URL[,URL]"),
              Flag.of("etcd-cafile", INPUT_FILE, "FILE"),
              Flag.of("etcd-certfile", INPUT_FILE, "FILE"),
              Flag.of("etcd-keyfile", INPUT_FILE, "FILE"),
              Flag.of("service-cluster-ip-range", LIST, "CIDR[,CIDR]").or("10.96.0.0/12"),
              NODE_PORTS,
              EXTERNAL_IPS,
              CLUSTER_ADDRESSES,
              TOKENS,
              Flag.of("client-ca-file", INPUT_FILE, "FILE"),
              Flag.of("tls-cert-file", INPUT_FILE, "FILE"),
              Flag.of("tls-private-key-file", INPUT_FILE, "FILE"),
              Flag.of("authorization-mode", LIST, "Node,RBAC|AlwaysAllow").or("RBAC"),
              Flag.of("service-account-issuer", TEXT, "URL")
                  .or("https://kubernetes.default.svc.cluster.local"),
              Flag.of("service-account-signing-key-file", INPUT_FILE, "FILE"),
              Flag.of("service-account-key-file", LIST, "FILE[,FILE]"),
              Flag.of("kubelet-client-certificate", INPUT_FILE, "FILE"),
              Flag.of("kubelet-client-key", INPUT_FILE, "FILE"),
              Flag.of("anonymous-auth", CHOICE, "true|false").or("true"),
              Flag.of("audit-log-path", OUTPUT_FILE, "FILE"),
              EVENT_TTL,
              EMULATED,
              LOGGING_FORMAT));

  /// The controllers alone.
  public static final Verb CONTROLLERS =
      new Verb(
          "controllers",
          "",
          List.of(),
          List.of(
              Flag.of("kubeconfig", INPUT_FILE, "FILE"),
              Flag.of("controllers", LIST, "LIST").or("*"),
              Flag.of("leader-elect", CHOICE, "true|false").or("true"),
              Flag.of("leader-elect-lease-duration", DURATION, "TIME").or("15s"),
              Flag.of("leader-elect-renew-deadline", DURATION, "TIME").or("10s"),
              Flag.of("leader-elect-retry-period", DURATION, "TIME").or("2s"),
              Flag.of("leader-elect-resource-namespace", TEXT, "NAME").or("kube-system"),
              Flag.of("leader-elect-resource-name", TEXT, "NAME").or("kube-controller-manager"),
              Flag.of("use-service-account-credentials", CHOICE, "true|false").or("false"),
              Flag.of("root-ca-file", INPUT_FILE, "FILE"),
              Flag.of("allocate-node-cidrs", CHOICE, "true|false").or("false"),
              Flag.of("cluster-cidr", LIST, "CIDR[,CIDR]"),
              Flag.of("node-cidr-mask-size-ipv4", COUNT, "BITS").or("24"),
              Flag.of("node-cidr-mask-size-ipv6", COUNT, "BITS").or("64"),
              NODE_GRACE,
              LOAD_BALANCER_POOL,
              DEFAULT_LOAD_BALANCER.or("false"),
              Flag.of("concurrent-endpoint-syncs", COUNT, "N").or("5"),
              Flag.of("endpoint-updates-batch-period", DURATION, "TIME").or("250ms"),
              Flag.of("concurrent-service-endpoint-syncs", COUNT, "N").or("5"),
              Flag.of("max-endpoints-per-slice", COUNT, "N").or("100"),
              Flag.of("endpointslice-updates-batch-period", DURATION, "TIME").or("250ms"),
              Flag.of("mirroring-concurrent-service-endpoint-syncs", COUNT, "N").or("5"),
              Flag.of("mirroring-max-endpoints-per-subset", COUNT, "N").or("1000"),
              Flag.of("mirroring-endpointslice-updates-batch-period", DURATION, "TIME").or("250ms"),
              Flag.of("secure-port", PORT, "PORT").or("10257"),
              BIND_ADDRESS.or("127.0.0.1"),
              Flag.of("tls-cert-file", INPUT_FILE, "FILE"),
              Flag.of("tls-private-key-file", INPUT_FILE, "FILE"),
              Flag.of("client-ca-file", INPUT_FILE, "FILE"),
              LOGGING_FORMAT));

  /// The service proxy of a node.
  public static final Verb PROXY =
      new Verb(
          "proxy",
          "",
          List.of(),
          List.of(
              Flag.of("mode", CHOICE, "auto|nftables|iptables|ipvs|userspace"),
              Flag.toggle("strict-mode"),
              Flag.of("config", INPUT_FILE, "FILE"),
              Flag.of("write-config-to", OUTPUT_FILE, "FILE"),
              Flag.toggle("cleanup"),
              Flag.toggle("init-only"),
              Flag.of("master", TEXT, "URL"),
              Flag.of("bind-address", FREE, "TEXT"),
              Flag.of("bind-address-hard-fail", CHOICE, "true|false"),
              Flag.of("cluster-cidr", FREE, "TEXT"),
              Flag.of("config-sync-period", FREE, "TIME"),
              Flag.of("conntrack-max-per-core", FREE, "NUMBER"),
              Flag.of("conntrack-min", FREE, "NUMBER"),
              Flag.of("conntrack-tcp-be-liberal", CHOICE, "true|false"),
              Flag.of("conntrack-tcp-timeout-close-wait", FREE, "TIME"),
              Flag.of("conntrack-tcp-timeout-established", FREE, "TIME"),
              Flag.of("conntrack-udp-timeout", FREE, "TIME"),
              Flag.of("conntrack-udp-timeout-stream", FREE, "TIME"),
              Flag.of("detect-local-mode", FREE, "TEXT"),
              Flag.of("healthz-bind-address", FREE, "TEXT"),
              Flag.of("hostname-override", FREE, "TEXT"),
              Flag.of("iptables-localhost-nodeports", CHOICE, "true|false"),
              Flag.of("iptables-masquerade-bit", FREE, "NUMBER"),
              Flag.of("iptables-min-sync-period", FREE, "TIME"),
              Flag.of("iptables-sync-period", FREE, "TIME"),
              Flag.of("ipvs-exclude-cidrs", FREE, "LIST"),
              Flag.of("ipvs-min-sync-period", FREE, "TIME"),
              Flag.of("ipvs-scheduler", FREE, "TEXT"),
              Flag.of("ipvs-strict-arp", CHOICE, "true|false"),
              Flag.of("ipvs-sync-period", FREE, "TIME"),
              Flag.of("ipvs-tcp-timeout", FREE, "TIME"),
              Flag.of("ipvs-tcpfin-timeout", FREE, "TIME"),
              Flag.of("ipvs-udp-timeout", FREE, "TIME"),
              Flag.of("kube-api-burst", FREE, "NUMBER"),
              Flag.of("kube-api-content-type", FREE, "TEXT"),
              Flag.of("kube-api-qps", FREE, "NUMBER"),
              Flag.of("kubeconfig", INPUT_FILE, "FILE"),
              Flag.of("masquerade-all", CHOICE, "true|false"),
              Flag.of("metrics-bind-address", FREE, "TEXT"),
              Flag.of("nodeport-addresses", FREE, "LIST"),
              Flag.of("oom-score-adj", FREE, "NUMBER"),
              Flag.of("pod-bridge-interface", FREE, "TEXT"),
              Flag.of("pod-interface-name-prefix", FREE, "TEXT"),
              Flag.of("profiling", CHOICE, "true|false"),
              Flag.of("proxy-mode", FREE, "TEXT"),
              Flag.of("proxy-port-range", FREE, "FIRST-LAST"),
              Flag.of("udp-timeout", FREE, "TIME"),
              Flag.of("bind", FREE, "ADDRESS"),
              Flag.of("control", TEXT, "PATH").or("/run/fairlead/proxy.sock"),
              Flag.of("insight-bind-address", FREE, "ADDRESS:PORT"),
              BIRD_DIRECTORY,
              BIRD_INCLUDE,
              BIRD_CONTROL,
              PROMISCUOUS,
              Flag.of("show-hidden-metrics-for-version", FREE, "TEXT"),
              Flag.of("feature-gates", FREE, "NAME=BOOL"),
              LOGGING_FORMAT));

  /// Load balancer addresses alone.
  public static final Verb ANNOUNCE =
      new Verb(
          "announce",
          "",
          List.of(),
          List.of(
              Flag.of("kubeconfig", INPUT_FILE, "FILE"),
              Flag.of("master", TEXT, "URL"),
              Flag.of("hostname-override", TEXT, "NAME"),
              Flag.toggle("cleanup"),
              BIRD_DIRECTORY,
              BIRD_INCLUDE,
              BIRD_CONTROL,
              PROMISCUOUS,
              LOGGING_FORMAT));

  /// Load balancer addresses and who announces them.
  public static final Verb LOAD_BALANCERS =
      new Verb(
          "lb",
          "[rebalance [ADDRESS]]",
          List.of("rebalance"),
          List.of(
              Flag.of("kubeconfig", INPUT_FILE, "FILE"), Flag.of("master", TEXT, "URL"), OUTPUT),
          2);

  /// `explain FROM TO`.
  private static final int POLICY_OPERANDS = 3;

  /// NetworkPolicy alone.
  public static final Verb POLICY =
      new Verb(
          "policy",
          "[explain FROM TO|simulate]",
          List.of("explain", "simulate"),
          List.of(
              Flag.of("kubeconfig", INPUT_FILE, "FILE"),
              Flag.of("master", TEXT, "URL"),
              Flag.of("hostname-override", TEXT, "NAME"),
              Flag.of("pod-cidr", LIST, "CIDR[,CIDR]"),
              Flag.of("cluster-cidr", LIST, "CIDR[,CIDR]"),
              Flag.of("spoofed-sources", CHOICE, "drop|pass").or("drop"),
              Flag.of("unknown-addresses", CHOICE, "drop|pass").or("drop"),
              Flag.of("existing-connections", CHOICE, "cut|keep").or("cut"),
              Flag.of("denied", CHOICE, "drop|reject").or("drop"),
              Flag.of("nflog-group", TEXT, "NUMBER").or("241"),
              Flag.of("cut-label", TEXT, "NUMBER").or("121"),
              Flag.toggle("gate-first"),
              Flag.of("startup-taint", TEXT, "KEY"),
              Flag.of("drop-log", TEXT, "FILE"),
              Flag.of("metrics-bind-address", FREE, "ADDRESS:PORT").or("127.0.0.1:10248"),
              Flag.of("healthz-bind-address", TEXT, "ADDRESS:PORT"),
              Flag.of("control", TEXT, "PATH").or("/run/fairlead/policy.sock"),
              Flag.toggle("cleanup"),
              Flag.of("filename", INPUT_FILE, "FILE").shortened("f"),
              LOGGING_FORMAT),
          POLICY_OPERANDS);

  /// The node agent.
  public static final Verb AGENT =
      new Verb(
          "agent",
          "",
          List.of(),
          List.of(
              Flag.of("kubeconfig", INPUT_FILE, "FILE"),
              CONFIG,
              Flag.of("master", TEXT, "URL"),
              Flag.of("hostname-override", TEXT, "NAME"),
              Flag.of("node-ip", LIST, "ADDRESS[,ADDRESS]"),
              Flag.of("pod-cidr", LIST, "CIDR[,CIDR]"),
              Flag.of("cluster-cidr", LIST, "CIDR[,CIDR]").or("10.244.0.0/16"),
              Flag.of("cluster-dns", LIST, "ADDRESS[,ADDRESS]").or("10.96.0.10"),
              Flag.of("cluster-domain", TEXT, "DOMAIN").or("cluster.local"),
              Flag.of("node-labels", LIST, "NAME=VALUE[,...]"),
              MAX_PODS,
              Flag.of("policy", CHOICE, "auto|on|off").or("auto"),
              Flag.of("resolv-conf", INPUT_FILE, "FILE").or("/etc/resolv.conf"),
              Flag.of("pod-manifest-path", DIRECTORY, "DIR"),
              Flag.of("root-dir", DIRECTORY, "DIR").or("/var/lib/fairlead/agent"),
              Flag.of("netns", TEXT, "NAME"),
              RUNTIME,
              CONTAINERD,
              Flag.of("container-runtime-endpoint", TEXT, "SOCKET"),
              ROUTE_MODE,
              CNI,
              CGROUP_ROOT,
              Flag.of("port", PORT, "PORT").or("10250"),
              Flag.of("proxy-control", TEXT, "PATH").or("/run/fairlead/proxy.sock"),
              Flag.of("client-ca-file", INPUT_FILE, "FILE"),
              Flag.toggle("cleanup"),
              LOGGING_FORMAT));

  /// What a node does with traffic to one Service.
  public static final Verb RULES =
      new Verb(
          "rules",
          "svc/NAME",
          List.of(),
          List.of(
              Flag.of("namespace", TEXT, "NAME").shortened("n"),
              Flag.of("mode", CHOICE, "active|all|iptables|nftables|ipvs|userspace").or("active"),
              Flag.toggle("diff"),
              OUTPUT,
              Flag.of("node", TEXT, "NAME"),
              Flag.of("cluster-cidr", FREE, "CIDR[,CIDR]"),
              Flag.of("kubeconfig", INPUT_FILE, "FILE"),
              Flag.of("master", TEXT, "URL")));

  /// `FROM to TO`.
  private static final int TRACE_OPERANDS = 3;

  /// One real connection, hop by hop.
  public static final Verb TRACE =
      new Verb(
          "trace",
          "[pod/NAME|node/NAME to] svc/NAME[:PORT]|pod/NAME:PORT",
          List.of(),
          List.of(
              Flag.of("namespace", TEXT, "NAME").shortened("n"),
              Flag.of("ip", TEXT, "ADDRESS"),
              Flag.of("to", TEXT, "self|ADDRESS"),
              Flag.toggle("model"),
              Flag.of("passive", DURATION, "TIME"),
              Flag.of("count", COUNT, "N").or("1"),
              Flag.of("send", TEXT, "TEXT"),
              Flag.of("protocol", CHOICE, "tcp|udp").or("tcp"),
              Flag.of("timeout", DURATION, "TIME").or("2s"),
              OUTPUT,
              Flag.of("control", TEXT, "PATH"),
              DATA_DIR,
              Flag.of("kubeconfig", INPUT_FILE, "FILE"),
              Flag.of("master", TEXT, "URL")),
          TRACE_OPERANDS);

  /// Live connections.
  public static final Verb TOP =
      new Verb(
          "top",
          "[svc/NAME]",
          List.of(),
          List.of(
              Flag.of("namespace", TEXT, "NAME").shortened("n"),
              Flag.toggle("all-namespaces").shortened("A"),
              Flag.of("interval", DURATION, "TIME").or("2s"),
              Flag.toggle("once"),
              Flag.toggle("strict"),
              Flag.of("sort", CHOICE, "active|new|out|skew").or("active"),
              Flag.of("node", TEXT, "NAME"),
              OUTPUT,
              Flag.of("control", TEXT, "PATH"),
              DATA_DIR,
              Flag.of("kubeconfig", INPUT_FILE, "FILE"),
              Flag.of("master", TEXT, "URL")));

  /// Why a Service does or does not work.
  public static final Verb EXPLAIN =
      new Verb(
          "explain",
          "svc/NAME|pod/NAME|node/NAME|netpol/NAME",
          List.of(),
          List.of(
              Flag.of("namespace", TEXT, "NAME").shortened("n"),
              Flag.toggle("all-namespaces").shortened("A"),
              Flag.of("selector", TEXT, "LABELS").shortened("l"),
              Flag.of("port", TEXT, "NAME|NUMBER"),
              Flag.of("from", TEXT, "pod/NAME|node/NAME"),
              Flag.of("ip", TEXT, "ADDRESS"),
              Flag.toggle("no-probe"),
              Flag.of("wait", DURATION, "[=TIME]"),
              Flag.of("output", CHOICE, "wide|json|yaml|name").shortened("o"),
              Flag.toggle("strict"),
              Flag.of("request-timeout", DURATION, "TIME").or("5s"),
              Flag.of("server", TEXT, "ADDRESS[:PORT]"),
              Flag.of("cluster-domain", TEXT, "DOMAIN").or("cluster.local"),
              Flag.of("control", TEXT, "PATH"),
              DATA_DIR,
              Flag.of("kubeconfig", INPUT_FILE, "FILE"),
              Flag.of("master", TEXT, "URL")));

  /// Changes how a running proxy carries traffic.
  public static final Verb MODE =
      new Verb(
          "mode",
          "MODE",
          List.of("iptables", "ipvs", "nftables", "userspace"),
          List.of(Flag.of("control", TEXT, "PATH"), DATA_DIR, OUTPUT));

  /// Files of settings, and where each value comes from.
  public static final Verb CONFIGURATION =
      new Verb(
          "config",
          "validate|show|diff|convert [FILE]",
          List.of("validate", "show", "diff", "convert"),
          List.of(
              Flag.toggle("origin"),
              Flag.of(
                  "to", CHOICE, "fairlead.yaml|KubeProxyConfiguration|Corefile|ConfigMap|flags"),
              OUTPUT),
          2);

  /// Other names of verbs.
  private static final Map<String, String> ALIASES = Map.of("why", "explain");

  static final List<Verb> VERBS =
      List.of(
          UP,
          new Verb(
              "down",
              "",
              List.of(),
              List.of(
                  DATA_DIR, Flag.toggle("purge"), Flag.of("timeout", SECONDS, "SECONDS").or("30"))),
          new Verb("status", "", List.of(), List.of(DATA_DIR, OUTPUT)),
          new Verb("shell", "COMMAND...", List.of(), List.of(DATA_DIR)),
          new Verb(
              "doctor",
              "",
              List.of(),
              List.of(
                  DATA_DIR,
                  Flag.of("api-port", PORT, "PORT").or("6443"),
                  Flag.toggle("fix"),
                  Flag.toggle("short"),
                  Flag.toggle("strict"),
                  OUTPUT)),
          new Verb("tour", "", List.of(), List.of(Flag.toggle("yes"), Flag.toggle("restart"))),
          APISERVER,
          CONTROLLERS,
          PROXY,
          ANNOUNCE,
          LOAD_BALANCERS,
          POLICY,
          AGENT,
          EXPLAIN,
          RULES,
          TRACE,
          TOP,
          InspectVerbs.HISTORY,
          InspectVerbs.VERIFY,
          InspectVerbs.WAIT,
          InspectVerbs.ENV,
          InspectVerbs.DUMP,
          WhatIfVerbs.SIMULATE,
          WhatIfVerbs.NODROP,
          PageVerbs.OPEN,
          MODE,
          InspectVerbs.EXPOSE,
          CONFIGURATION,
          new Verb(
              "dns",
              "NAME",
              List.of(),
              List.of(
                  Flag.of("from", TEXT, "pod/NAME"),
                  Flag.of("namespace", TEXT, "NAME").shortened("n"),
                  Flag.of("server", TEXT, "ADDRESS[:PORT]"),
                  Flag.of("cluster-domain", TEXT, "DOMAIN").or("cluster.local"),
                  Flag.toggle("short"),
                  OUTPUT,
                  Flag.of("kubeconfig", INPUT_FILE, "FILE"),
                  Flag.of("master", TEXT, "URL"))),
          new Verb(
              DNS_SERVER,
              "",
              List.of(),
              List.of(
                  Flag.of("conf", TEXT, "FILE"),
                  Flag.of("dns.port", PORT, "PORT").or("53").shortened("p"),
                  Flag.of("pidfile", OUTPUT_FILE, "FILE"),
                  Flag.toggle("plugins"),
                  Flag.toggle("quiet"),
                  Flag.toggle("version"),
                  Flag.toggle("check"),
                  Flag.of("unknown-plugins", TEXT, "error|warn").or("error"),
                  LOGGING_FORMAT)),
          new Verb(
              "store",
              "check|dump|backup|restore",
              List.of("check", "dump", "backup", "restore"),
              List.of(DATA_DIR, Flag.of("file", OUTPUT_FILE, "FILE"))),
          new Verb("version", "", List.of(), List.of(OUTPUT)),
          new Verb("completion", "SHELL", List.of("bash", "zsh", "fish"), List.of()),
          new Verb("help", "VERB|CODE", List.of(), List.of()));

  private Grammar() {}

  /// The verb of that name, if there is one.
  public static Optional<Verb> verb(String name) {
    String whole = ALIASES.getOrDefault(name, name);
    return VERBS.stream().filter(verb -> verb.name().equals(whole)).findFirst();
  }

  /// All names of verbs.
  static Stream<String> verbNames() {
    return VERBS.stream().map(Verb::name);
  }
}
