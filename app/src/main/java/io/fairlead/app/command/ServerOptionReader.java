package io.fairlead.app.command;

import io.fairlead.agent.AgentOptions;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.app.Options;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.controllers.LoadBalancerOptionReader;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.text.Phrase;
import io.fairlead.controller.NodeOptions;
import io.fairlead.controller.nodeipam.NodeRanges;
import io.fairlead.server.ApiServerConfig;
import io.fairlead.server.ApiServerConfigBuilder;
import io.fairlead.server.pki.PkiOptions;
import io.fairlead.ui.UiOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Turns the flags of `up` and `apiserver` into [Options], and refuses what cannot be meant.
final class ServerOptionReader {
  private static final Pattern EMULATED = Pattern.compile("v?1\\.(\\d{1,3})");
  private static final Pattern PORT_RANGE = Pattern.compile("(\\d{1,5})-(\\d{1,5})");
  private static final int OLDEST_MINOR = 20;
  private static final int NEWEST_MINOR = 36;

  private final Arguments arguments;
  private final DataDirectory directory;

  ServerOptionReader(Arguments arguments, DataDirectory directory) {
    this.arguments = arguments;
    this.directory = directory;
  }

  Options forUp() {
    ApiServerConfig server =
        config(arguments.number("api-port"), cidrs("service-cidr"))
            .tlsSans(names("tls-san"))
            .warnsOfUnserved(true)
            .build();
    AgentOptionReader agents = new AgentOptionReader(arguments);
    Optional<AgentOptions> agent = agents.forUp(directory, server);
    UpNodeOptionReader node = new UpNodeOptionReader(arguments, server, agent.isPresent());
    if (agent.isPresent()) {
      apart(agents.clusterRanges(), server);
    }
    return new Options(
        directory.root(),
        UpNodeOptionReader.reachable(server, agent),
        Optional.empty(),
        true,
        agent,
        node.proxy(agents.clusterRanges()),
        node.dns(),
        new NodeOptions(
            NodeRanges.of(agents.clusterRanges())
                .without(agent.map(AgentOptions::podRanges).orElse(List.of())),
            arguments.duration("node-monitor-grace-period")),
        node.policy(agent.map(AgentOptions::podRanges).orElse(List.of()), agents.clusterRanges()),
        LoadBalancerOptionReader.forUp(arguments),
        ui());
  }

  /// An address is a pod's or a Service's, never both.
  private void apart(List<Cidr> pods, ApiServerConfig server) {
    for (Cidr range : pods) {
      for (String services : server.services().cidrs()) {
        if (range.overlaps(Cidr.parse(services))) {
          throw new FairleadException(
              ErrorCode.FL305,
              "--" + (arguments.list("cluster-cidr").isEmpty() ? "pod-cidr" : "cluster-cidr"),
              "--service-cidr",
              UpNodeOptionReader.dnsAddress(server)
                  .map(dns -> Phrase.of("FL305.overlap.dns", range, services, dns))
                  .orElse(Phrase.of("FL305.overlap", range, services)),
              arguments.verb().name());
        }
      }
    }
  }

  /// How the web page is served; empty when it is switched off.
  private Optional<UiOptions> ui() {
    boolean remote = arguments.on("ui-remote");
    if (!arguments.text("ui").equals("off")) {
      return Optional.of(
          new UiOptions(arguments.number("ui-port"), arguments.on("ui-write"), remote));
    }
    if (remote) {
      throw new FairleadException(
          ErrorCode.FL305,
          "--ui-remote",
          "--ui",
          Phrase.of("FL305.needs", "--ui-remote", "--ui=on"),
          arguments.verb().name());
    }
    return Optional.empty();
  }

  Options forApiServer() {
    together("tls-cert-file", "tls-private-key-file");
    together("tls-private-key-file", "tls-cert-file");
    together("etcd-certfile", "etcd-keyfile");
    together("etcd-keyfile", "etcd-certfile");
    together("etcd-certfile", "etcd-servers");
    together("etcd-cafile", "etcd-servers");
    ApiServerConfig server =
        config(arguments.number("secure-port"), cidrs("service-cluster-ip-range"))
            .clientCaFile(arguments.path("client-ca-file"))
            .tlsCertFile(arguments.path("tls-cert-file"))
            .tlsPrivateKeyFile(arguments.path("tls-private-key-file"))
            .authorizationMode(authorizationMode())
            .keyFiles(keyFiles())
            .anonymousAuth(arguments.on("anonymous-auth"))
            .serviceAccountIssuer(arguments.text("service-account-issuer"))
            .auditLog(arguments.path("audit-log-path"))
            .build();
    List<String> etcd = arguments.list("etcd-servers");
    return new Options(
        directory.root(),
        server,
        etcd.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Options.Etcd(
                    etcd,
                    arguments.path("etcd-cafile"),
                    arguments.path("etcd-certfile"),
                    arguments.path("etcd-keyfile"))),
        false);
  }

  /// The rules for nodes are part of RBAC here, so `Node,RBAC` and `RBAC` mean the same; one mode
  /// that allows is enough, as in the original.
  private String authorizationMode() {
    List<String> modes = arguments.list("authorization-mode");
    boolean known = modes.stream().allMatch(List.of("Node", "RBAC", "AlwaysAllow")::contains);
    if (!known || modes.equals(List.of("Node"))) {
      throw bad("authorization-mode", "RBAC, Node,RBAC, AlwaysAllow");
    }
    return modes.contains("AlwaysAllow") ? "AlwaysAllow" : "RBAC";
  }

  private ApiServerConfig.KeyFiles keyFiles() {
    together("kubelet-client-certificate", "kubelet-client-key");
    together("kubelet-client-key", "kubelet-client-certificate");
    return new ApiServerConfig.KeyFiles(
        arguments.path("service-account-signing-key-file"),
        arguments.list("service-account-key-file").stream()
            .map(file -> Path.of(file).toAbsolutePath().normalize())
            .toList(),
        arguments.path("kubelet-client-certificate"),
        arguments.path("kubelet-client-key"));
  }

  /// What both commands have flags for.
  private ApiServerConfigBuilder config(int port, List<String> cidrs) {
    String bind = address("bind-address");
    return ApiServerConfig.defaults(directory.pki())
        .change()
        .bindAddress(bind)
        .securePort(port)
        .services(
            new ApiServerConfig.ServiceNetworkOptions(
                cidrs,
                nodePorts(),
                arguments.on("allow-service-external-ips"),
                arguments.on("allow-load-balancer-cluster-addresses")))
        .tokenAuthFile(arguments.path("token-auth-file"))
        .advertiseAddress(
            arguments.find("advertise-address").isPresent()
                ? address("advertise-address")
                : AdvertiseAddress.advertised(bind))
        .emulatedMinor(emulatedMinor())
        .eventTtl(arguments.duration("event-ttl"));
  }

  private List<String> cidrs(String flag) {
    List<String> texts = arguments.list(flag);
    List<Cidr> parsed = texts.stream().map(Cidr::parseOrNull).toList();
    boolean sound = !texts.isEmpty() && texts.size() <= 2 && !parsed.contains(null);
    if (sound && parsed.size() == 2) {
      sound = parsed.getFirst().family() != parsed.getLast().family();
    }
    if (!sound) {
      throw bad(flag, "10.96.0.0/12, fd00:10:96::/112");
    }
    return texts;
  }

  private List<String> names(String flag) {
    List<String> names = arguments.list(flag);
    if (!names.stream().allMatch(PkiOptions::isName)) {
      throw bad(flag, "api.example.com, 192.0.2.7");
    }
    return names;
  }

  private String nodePorts() {
    String text = arguments.text("service-node-port-range");
    Matcher range = PORT_RANGE.matcher(text);
    boolean sound =
        range.matches()
            && Integer.parseInt(range.group(1)) >= 1
            && Integer.parseInt(range.group(1)) <= Integer.parseInt(range.group(2))
            && Integer.parseInt(range.group(2)) <= 65_535;
    if (!sound) {
      throw bad("service-node-port-range", "30000-32767");
    }
    return text;
  }

  private int emulatedMinor() {
    Matcher version = EMULATED.matcher(arguments.text("emulated-version"));
    int minor = version.matches() ? Integer.parseInt(version.group(1)) : -1;
    if (minor < OLDEST_MINOR || minor > NEWEST_MINOR) {
      throw bad("emulated-version", "1." + OLDEST_MINOR + " … 1." + NEWEST_MINOR);
    }
    return minor;
  }

  private String address(String flag) {
    String text = arguments.text(flag);
    if (IpAddress.parseOrNull(text) == null) {
      throw bad(flag, "127.0.0.1, 0.0.0.0, ::1");
    }
    return text;
  }

  private void together(String flag, String needed) {
    if (arguments.find(flag).isPresent() && arguments.find(needed).isEmpty()) {
      throw new FairleadException(
          ErrorCode.FL305,
          "--" + flag,
          "--" + needed,
          Phrase.of("FL305.needs", "--" + flag, "--" + needed),
          arguments.verb().name());
    }
  }

  private FairleadException bad(String flag, String expected) {
    return new FairleadException(ErrorCode.FL303, "--" + flag, arguments.text(flag), expected);
  }
}
