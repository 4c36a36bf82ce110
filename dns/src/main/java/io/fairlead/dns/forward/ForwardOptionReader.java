package io.fairlead.dns.forward;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.corefile.DnsZones;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.http.tls.PemParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads one `forward` line. Used once.
final class ForwardOptionReader {
  private static final Logger log = LoggerFactory.getLogger(ForwardOptionReader.class);
  private static final String[] KNOWN = {
    "except",
    "force_tcp",
    "prefer_udp",
    "policy",
    "expire",
    "max_idle_conns",
    "max_age",
    "max_fails",
    "max_connect_attempts",
    "max_concurrent",
    "read_timeout",
    "health_check",
    "tls",
    "tls_servername",
    "doh_method",
    "next",
    "next_on_nodata",
    "failover",
    "failfast_all_unhealthy_upstreams",
    "source_address",
    "resolver"
  };
  private static final int MANY = 1000;

  private final Directive line;
  private DnsZones except = new DnsZones(List.of());
  private boolean forceTcp;
  private boolean preferUdp;
  private ForwardPolicy policy = ForwardPolicy.RANDOM;
  private int maxFails = 2;
  private int attempts;
  private int maxConcurrent;
  private ForwardOptions.Probe probe =
      new ForwardOptions.Probe(Duration.ofMillis(500), true, Name.ROOT);
  private Duration readTimeout = Duration.ofSeconds(2);
  private Duration expire = Duration.ofSeconds(10);
  private int maxIdle;
  private Duration maxAge = Duration.ZERO;
  private @Nullable IpAddress source;
  private Trust trust = new Trust.SystemRoots();
  private ClientIdentity identity = new ClientIdentity.Anonymous();
  private @Nullable String serverName;
  private boolean httpGet;
  private Set<Integer> next = Set.of();
  private boolean nextOnNodata;
  private Set<Integer> failover = Set.of();
  private boolean failFast;
  private final List<UpstreamAddress> resolvers = new ArrayList<>();

  ForwardOptionReader(Directive line) {
    this.line = line;
  }

  ForwardOptions read() throws SetupException {
    DnsZones from = DirectiveReader.zones(line, line.arguments().subList(0, 1));
    List<UpstreamAddressReader.Destination> to = new ArrayList<>();
    for (String text : line.arguments().subList(1, line.arguments().size())) {
      to.add(target(line, text));
    }
    for (Directive option : line.block()) {
      read(option);
    }
    checkFiles(to);
    return new ForwardOptions(
        from,
        to,
        except,
        forceTcp,
        preferUdp,
        policy,
        maxFails,
        attempts,
        maxConcurrent,
        probe,
        new ForwardOptions.Connections(readTimeout, expire, maxIdle, maxAge, source),
        new ForwardOptions.Tls(trust, identity, serverName, httpGet),
        next,
        nextOnNodata,
        failover,
        failFast,
        resolvers);
  }

  private static UpstreamAddressReader.Destination target(Directive line, String text)
      throws SetupException {
    try {
      return UpstreamAddressReader.read(text);
    } catch (IllegalArgumentException e) {
      throw line.problem("forward: " + e.getMessage());
    }
  }

  private void checkFiles(List<UpstreamAddressReader.Destination> to) throws SetupException {
    for (UpstreamAddressReader.Destination each : to) {
      if (each instanceof UpstreamAddressReader.Destination.File(String path)) {
        try {
          if (ResolvConfNameservers.read(Files.readString(Path.of(path))).isEmpty()) {
            throw line.problem("forward: " + path + " names no nameserver");
          }
        } catch (IOException e) {
          throw line.problem("forward: cannot read " + path + ": " + e.getMessage());
        }
      }
    }
  }

  private void read(Directive option) throws SetupException {
    List<String> words = option.arguments();
    switch (option.name()) {
      case "except" -> {
        DirectiveReader.count(option, 1, MANY, "except ZONES...");
        except = DirectiveReader.zones(option, words);
      }
      case "force_tcp" -> forceTcp = flag(option);
      case "prefer_udp" -> preferUdp = flag(option);
      case "next_on_nodata" -> nextOnNodata = flag(option);
      case "failfast_all_unhealthy_upstreams" -> failFast = flag(option);
      case "policy" -> policy = policy(option);
      case "expire" -> expire = duration(option);
      case "read_timeout" -> readTimeout = duration(option);
      case "max_age" -> maxAge = duration(option);
      case "max_idle_conns" -> maxIdle = number(option);
      case "max_fails" -> maxFails = number(option);
      case "max_connect_attempts" -> attempts = number(option);
      case "max_concurrent" -> maxConcurrent = number(option);
      case "health_check" -> probe = probe(option);
      case "tls" -> tls(option);
      case "tls_servername" -> serverName = word(option, "tls_servername NAME");
      case "doh_method" -> httpGet = isGet(option);
      case "next" -> next = rcodes(option);
      case "failover" -> failover = rcodes(option);
      case "source_address" -> source = address(option, word(option, "source_address IP"));
      case "resolver" -> resolvers(option);
      default -> {
        if (!line.name().equals("proxy")) {
          throw DirectiveReader.unknown(line, option, KNOWN);
        }
        log.atWarn()
            .addKeyValue("line", option.line())
            .addKeyValue("option", option.name())
            .log("proxy is now forward, which has no such option: passed over");
      }
    }
  }

  private static boolean flag(Directive option) throws SetupException {
    DirectiveReader.bare(option);
    return true;
  }

  private static String word(Directive option, String usage) throws SetupException {
    DirectiveReader.count(option, 1, 1, usage);
    return option.arguments().getFirst();
  }

  private static Duration duration(Directive option) throws SetupException {
    return DirectiveReader.duration(option, word(option, option.name() + " DURATION"));
  }

  private static int number(Directive option) throws SetupException {
    return DirectiveReader.integer(
        option, word(option, option.name() + " NUMBER"), 0, Integer.MAX_VALUE);
  }

  private static ForwardPolicy policy(Directive option) throws SetupException {
    String text = word(option, "policy random|round_robin|sequential");
    return switch (text) {
      case "random" -> ForwardPolicy.RANDOM;
      case "round_robin" -> ForwardPolicy.ROUND_ROBIN;
      case "sequential" -> ForwardPolicy.SEQUENTIAL;
      default ->
          throw option.problem(
              "unknown policy '" + text + "'; there are random, round_robin and sequential");
    };
  }

  private static ForwardOptions.Probe probe(Directive option) throws SetupException {
    DirectiveReader.count(option, 1, 4, "health_check DURATION [no_rec] [domain NAME]");
    List<String> words = option.arguments();
    Duration every = DirectiveReader.duration(option, words.getFirst());
    boolean recursion = true;
    Name name = Name.ROOT;
    for (int i = 1; i < words.size(); i++) {
      if (words.get(i).equals("no_rec")) {
        recursion = false;
      } else if (words.get(i).equals("domain") && i + 1 < words.size()) {
        Name parsed = Name.parseOrNull(words.get(++i));
        if (parsed == null) {
          throw option.problem("'" + words.get(i) + "' is no domain name");
        }
        name = parsed;
      } else {
        throw option.problem("health_check takes no_rec and domain NAME, not " + words.get(i));
      }
    }
    return new ForwardOptions.Probe(every, recursion, name);
  }

  private void tls(Directive option) throws SetupException {
    DirectiveReader.count(option, 0, 3, "tls [CERT KEY] [CA]");
    List<String> files = option.arguments();
    try {
      if (files.size() >= 2) {
        identity =
            new ClientIdentity.ClientCertificate(
                PemParser.certificates(Files.readAllBytes(Path.of(files.get(0)))),
                PemParser.privateKey(Files.readAllBytes(Path.of(files.get(1)))));
      }
      if (files.size() % 2 == 1) {
        trust =
            new Trust.Certificates(
                PemParser.certificates(Files.readAllBytes(Path.of(files.getLast()))));
      }
    } catch (IOException | GeneralSecurityException e) {
      throw option.problem("tls: " + e.getMessage());
    }
  }

  private static boolean isGet(Directive option) throws SetupException {
    String text = word(option, "doh_method GET|POST").toUpperCase(Locale.ROOT);
    if (!text.equals("GET") && !text.equals("POST")) {
      throw option.problem("doh_method is GET or POST, not " + text);
    }
    return text.equals("GET");
  }

  private static Set<Integer> rcodes(Directive option) throws SetupException {
    DirectiveReader.count(option, 1, MANY, option.name() + " RCODE...");
    Set<Integer> rcodes = new TreeSet<>();
    for (String text : option.arguments()) {
      OptionalInt rcode = Rcode.parse(text);
      if (rcode.isEmpty()) {
        throw option.problem("'" + text + "' is no response code such as NXDOMAIN");
      }
      if (rcode.getAsInt() == Rcode.NOERROR && option.name().equals("failover")) {
        throw option.problem("failover cannot be used for NOERROR");
      }
      rcodes.add(rcode.getAsInt());
    }
    return rcodes;
  }

  private static IpAddress address(Directive option, String text) throws SetupException {
    IpAddress address = IpAddress.parseOrNull(text);
    if (address == null) {
      throw option.problem("'" + text + "' is no IP address");
    }
    return address;
  }

  private void resolvers(Directive option) throws SetupException {
    DirectiveReader.count(option, 1, MANY, "resolver IP[:PORT]...");
    for (String text : option.arguments()) {
      if (!(target(option, text)
          instanceof UpstreamAddressReader.Destination.Server(UpstreamAddress target))) {
        throw option.problem("resolver takes addresses, not '" + text + "'");
      }
      resolvers.add(target);
    }
  }
}
