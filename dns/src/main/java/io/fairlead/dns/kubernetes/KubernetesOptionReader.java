package io.fairlead.dns.kubernetes;

import io.fairlead.api.selector.LabelSelector;
import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.corefile.Fallthrough;
import io.fairlead.dns.kubernetes.answer.AnswerOptions.PodMode;
import io.fairlead.dns.kubernetes.answer.OwnZone;
import io.fairlead.dns.kubernetes.data.DataOptions;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.ServerBlock;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.wire.Name;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the lines of a `kubernetes` block.
final class KubernetesOptionReader {
  private static final Logger log = LoggerFactory.getLogger(KubernetesOptionReader.class);
  private static final String[] KNOWN = {
    "endpoint",
    "tls",
    "kubeconfig",
    "apiserver_qps",
    "apiserver_burst",
    "apiserver_max_inflight",
    "namespaces",
    "namespace_labels",
    "labels",
    "pods",
    "endpoint_pod_names",
    "ttl",
    "noendpoints",
    "fallthrough",
    "ignore",
    "multicluster",
    "zonal",
    "startup_timeout",
    "snapshot",
    "max_staleness"
  };
  private static final int DEFAULT_TTL = 5;
  private static final int LONGEST_TTL = 3600;

  private final Directive line;
  private final ServerBlock block;
  private Fallthrough fallthrough = Fallthrough.NEVER;
  private PodMode pods = PodMode.DISABLED;
  private int ttl = DEFAULT_TTL;
  private boolean podNames;
  private boolean noEndpoints;
  private boolean ignoreEmpty;
  private boolean zonal;
  private List<String> namespaces = List.of();
  private String namespaceLabels = "";
  private String labels = "";
  private Duration maxStaleness = Duration.ZERO;
  private String snapshot = "";
  private ApiOptions api = ApiOptions.IN_CLUSTER;

  private KubernetesOptionReader(Directive line, ServerBlock block) {
    this.line = line;
    this.block = block;
  }

  static KubernetesOptions read(List<Directive> lines, ServerBlock block) throws SetupException {
    return new KubernetesOptionReader(DirectiveReader.only(lines), block).read();
  }

  private KubernetesOptions read() throws SetupException {
    List<Name> zones = DirectiveReader.zones(line, line.arguments(), block).names();
    Name primary =
        zones.stream()
            .filter(zone -> !OwnZone.of(zone, false).reverse())
            .findFirst()
            .orElseThrow(
                () ->
                    line.problem(
                        "kubernetes needs a zone that is no reverse zone, such as cluster.local,"
                            + " for PTR records to point into"));
    for (Directive option : line.block()) {
      option(option);
    }
    if (!namespaces.isEmpty() && !namespaceLabels.isEmpty()) {
      throw line.problem("namespaces and namespace_labels cannot both be set");
    }
    if (noEndpoints && zonal) {
      throw line.problem("zonal needs endpoints: it cannot stand beside noendpoints");
    }
    DataOptions data =
        new DataOptions(
            ttl,
            podNames,
            noEndpoints,
            ignoreEmpty,
            pods == PodMode.VERIFIED,
            namespaces,
            namespaceLabels,
            labels,
            zonal,
            block.directives().stream().anyMatch(each -> each.name().equals("k8s_external")),
            snapshot);
    return new KubernetesOptions(zones, primary, fallthrough, pods, zonal, maxStaleness, data, api);
  }

  private void option(Directive option) throws SetupException {
    switch (option.name()) {
      case "ttl" -> {
        DirectiveReader.count(option, 1, 1, "ttl SECONDS");
        ttl = DirectiveReader.integer(option, option.arguments().getFirst(), 0, LONGEST_TTL);
      }
      case "pods" -> {
        DirectiveReader.count(option, 1, 1, "pods disabled|insecure|verified");
        pods = podMode(option);
      }
      case "fallthrough" -> fallthrough = Fallthrough.read(option);
      case "endpoint_pod_names" -> {
        DirectiveReader.bare(option);
        podNames = true;
      }
      case "noendpoints" -> {
        DirectiveReader.bare(option);
        noEndpoints = true;
      }
      case "zonal" -> {
        DirectiveReader.bare(option);
        zonal = true;
      }
      case "ignore" -> {
        DirectiveReader.count(option, 1, 1, "ignore empty_service");
        if (!option.arguments().getFirst().equals("empty_service")) {
          throw option.problem("ignore knows only empty_service");
        }
        ignoreEmpty = true;
      }
      case "namespaces" -> {
        DirectiveReader.count(option, 1, Integer.MAX_VALUE, "namespaces NAME...");
        namespaces = option.arguments();
      }
      case "namespace_labels" -> namespaceLabels = selector(option);
      case "labels" -> labels = selector(option);
      case "snapshot" -> {
        DirectiveReader.count(option, 1, 1, "snapshot FILE");
        snapshot = option.arguments().getFirst();
      }
      case "max_staleness" -> {
        DirectiveReader.count(option, 1, 1, "max_staleness DURATION");
        maxStaleness = DirectiveReader.duration(option, option.arguments().getFirst());
      }
      default -> connection(option);
    }
  }

  private void connection(Directive option) throws SetupException {
    switch (option.name()) {
      case "kubeconfig" -> {
        DirectiveReader.count(option, 1, 2, "kubeconfig FILE [CONTEXT]");
        List<String> words = option.arguments();
        api =
            new ApiOptions(words.getFirst(), words.size() > 1 ? words.get(1) : "", "", "", "", "");
      }
      case "endpoint" -> {
        DirectiveReader.count(option, 1, Integer.MAX_VALUE, "endpoint URL");
        if (option.arguments().size() > 1) {
          retired(option, "only the first address is used");
        }
        api =
            new ApiOptions(
                "",
                "",
                option.arguments().getFirst(),
                api.certificate(),
                api.key(),
                api.authority());
      }
      case "tls" -> {
        DirectiveReader.count(option, 3, 3, "tls CERTIFICATE KEY CA");
        List<String> words = option.arguments();
        api = new ApiOptions("", "", api.endpoint(), words.get(0), words.get(1), words.get(2));
      }
      case "apiserver_qps", "apiserver_burst", "apiserver_max_inflight", "startup_timeout" ->
          DirectiveReader.count(option, 1, 1, option.name() + " VALUE");
      case "resyncperiod", "upstream", "transfer" -> retired(option, "it has no effect");
      case "multicluster" ->
          throw option.problem("multicluster zones are not served: remove the line");
      default -> throw DirectiveReader.unknown(line, option, KNOWN);
    }
  }

  private static void retired(Directive option, String what) {
    log.atWarn()
        .addKeyValue("file", option.file())
        .addKeyValue("line", option.line())
        .addKeyValue("option", option.name())
        .log("retired option: " + what);
  }

  private static PodMode podMode(Directive option) throws SetupException {
    String word = option.arguments().getFirst();
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "disabled" -> PodMode.DISABLED;
      case "insecure" -> PodMode.INSECURE;
      case "verified" -> PodMode.VERIFIED;
      default ->
          throw option.problem("pods must be disabled, insecure or verified, not '" + word + "'");
    };
  }

  private static String selector(Directive option) throws SetupException {
    DirectiveReader.count(option, 1, Integer.MAX_VALUE, option.name() + " EXPRESSION");
    String text = String.join(" ", option.arguments());
    try {
      LabelSelector.parse(text);
      return text;
    } catch (IllegalArgumentException e) {
      throw option.problem("not a label selector: " + text + ": " + e.getMessage());
    }
  }
}
