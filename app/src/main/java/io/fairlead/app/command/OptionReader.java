package io.fairlead.app.command;

import io.fairlead.agent.AgentOptions;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.app.Options;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.text.Phrase;
import io.fairlead.controller.NodeOptions;
import io.fairlead.controller.nodeipam.NodeRanges;
import io.fairlead.server.ApiServerConfig;
import io.fairlead.server.ApiServerConfigBuilder;
import io.fairlead.server.pki.PkiOptions;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Turns the flags of `up` and `apiserver` into [Options], and refuses what cannot be meant.
final class OptionReader {
  private static final Pattern EMULATED = Pattern.compile("v?1\\.(\\d{1,3})");
  private static final Pattern PORT_RANGE = Pattern.compile("(\\d{1,5})-(\\d{1,5})");
  private static final int OLDEST_MINOR = 20;
  private static final int NEWEST_MINOR = 36;

  private final Arguments arguments;
  private final DataDirectory directory;

  OptionReader(Arguments arguments, DataDirectory directory) {
    this.arguments = arguments;
    this.directory = directory;
  }

  Options forUp() {
    ApiServerConfig server =
        config(arguments.number("api-port"), cidrs("service-cidr"))
            .tlsSans(names("tls-san"))
            .build();
    AgentOptionReader agents = new AgentOptionReader(arguments);
    Optional<AgentOptions> agent = agents.forUp(directory, server);
    UpNode node = new UpNode(arguments, server, agent.isPresent());
    return new Options(
        directory.root(),
        UpNode.reachable(server, agent),
        Optional.empty(),
        true,
        agent,
        node.proxy(agents.clusterRanges()),
        node.dns(),
        new NodeOptions(
            NodeRanges.of(agents.clusterRanges())
                .without(agent.map(AgentOptions::podRanges).orElse(List.of())),
            arguments.duration("node-monitor-grace-period")));
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
            .authorizationMode(arguments.text("authorization-mode"))
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

  /// What both commands have flags for.
  private ApiServerConfigBuilder config(int port, List<String> cidrs) {
    String bind = address("bind-address");
    return ApiServerConfig.defaults(directory.pki())
        .change()
        .bindAddress(bind)
        .securePort(port)
        .services(
            new ApiServerConfig.Services(
                cidrs,
                nodePorts(),
                arguments.on("allow-service-external-ips"),
                arguments.on("allow-load-balancer-cluster-addresses")))
        .tokenAuthFile(arguments.path("token-auth-file"))
        .advertiseAddress(
            arguments.find("advertise-address").isPresent()
                ? address("advertise-address")
                : Addresses.advertised(bind))
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
      throw new Problem(
          Code.FL305,
          "--" + flag,
          "--" + needed,
          Phrase.of("FL305.needs", "--" + flag, "--" + needed),
          arguments.verb().name());
    }
  }

  private Problem bad(String flag, String expected) {
    return new Problem(Code.FL303, "--" + flag, arguments.text(flag), expected);
  }
}
