package io.fairlead.app.command;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.ArgumentParser;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Flag;
import io.fairlead.app.cli.Grammar;
import io.fairlead.app.cli.Setting;
import io.fairlead.app.cli.Verb;
import io.fairlead.app.systempod.KubeProxyConfigMap;
import io.fairlead.app.text.Phrase;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead config convert FILE`: the same settings in the form that another program, or another
/// verb, reads. What has no counterpart there is named, never dropped in silence.
///
/// @param text the new form
/// @param left what is not in it
record ConfigConversion(String text, List<Phrase> left) {
  private static final String SETTINGS = ConfigurationFileKind.SETTINGS.toString();
  private static final String PROXY = ConfigurationFileKind.PROXY.toString();
  private static final String COREFILE = ConfigurationFileKind.COREFILE.toString();
  private static final String CONFIG_MAP = "ConfigMap";
  private static final String FLAGS = "flags";

  /// What becomes of each kind of file; the first where nothing is said.
  private static final Map<ConfigurationFileKind, List<String>> FORMS =
      Map.of(
          ConfigurationFileKind.SETTINGS, List.of(PROXY, CONFIG_MAP, FLAGS),
          ConfigurationFileKind.PROXY, List.of(SETTINGS, PROXY, CONFIG_MAP, FLAGS),
          ConfigurationFileKind.KUBELET, List.of(SETTINGS, FLAGS),
          ConfigurationFileKind.COREFILE, List.of(CONFIG_MAP, COREFILE));

  /// How a proxy that is not part of `up` reaches the API.
  private static final String CONNECTION = "clientConnection.";

  /// The only settings of `up` that its proxy's configuration is made of.
  private static final List<String> OF_PROXY =
      List.of("proxy-mode", "strict-mode", "pod-cidr", "cluster-cidr");

  ConfigConversion {
    left = List.copyOf(left);
  }

  /// Converts a file, or what a ConfigMap of kube-proxy or CoreDNS holds.
  ///
  /// @param to empty for the form that suits the file
  static ConfigConversion of(Path file, String to) {
    String text = ConfigurationFileKind.read(file);
    ObjectNode data = data(text);
    String proxy = Json.textOr(data, "", KubeProxyConfigMap.FILE);
    String corefile = Json.textOr(data, "", COREFILE);
    if (!proxy.isEmpty()) {
      return ofProxy(
          ProxyOptions.checked(file.toString(), proxy), form(ConfigurationFileKind.PROXY, to));
    }
    if (!corefile.isEmpty()) {
      return ofCorefile(
          corefile, form(ConfigurationFileKind.COREFILE, to.isEmpty() ? COREFILE : to));
    }
    ConfigurationFileKind kind = ConfigurationFileKind.of(file, text);
    String form = form(kind, to);
    return switch (kind) {
      case PROXY -> ofProxy(ProxyOptions.checked(file.toString(), text), form);
      case COREFILE -> ofCorefile(text, form);
      case SETTINGS -> ofSettings(regular(file), form);
      case KUBELET -> ofKubelet(regular(file), form);
    };
  }

  private static String form(ConfigurationFileKind kind, String to) {
    List<String> forms = FORMS.getOrDefault(kind, List.of());
    if (!to.isEmpty() && !forms.contains(to)) {
      throw new FairleadException(
          ErrorCode.FL303, "--to", to, kind + " → " + String.join(", ", forms));
    }
    return to.isEmpty() ? forms.getFirst() : to;
  }

  /// What a ConfigMap holds; nothing when the file is none.
  private static ObjectNode data(String text) {
    try {
      JsonNode document = Yaml.parse(text);
      return Json.textOr(document, "", "kind").equals(CONFIG_MAP)
              && document.path("data") instanceof ObjectNode data
          ? data
          : Json.object();
    } catch (DecodeException _) {
      return Json.object();
    }
  }

  /// Refuses what can be read once only: these kinds are read again by the code that starts things.
  private static Path regular(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new FairleadException(ErrorCode.FL304, "config", file.toString());
    }
    return file;
  }

  private static ConfigConversion ofCorefile(String text, String form) {
    return new ConfigConversion(
        form.equals(COREFILE) ? text : configMap("coredns", COREFILE, text), List.of());
  }

  private static ConfigConversion ofProxy(ProxyConfiguration proxy, String form) {
    if (form.equals(FLAGS)) {
      return flagsOfProxy(proxy);
    }
    if (!form.equals(SETTINGS)) {
      return proxyFile(proxy, form, List.of());
    }
    ObjectNode settings = Json.object();
    String mode = proxy.text("mode");
    if (!mode.isEmpty()) {
      settings.put("proxy-mode", mode);
    }
    if (proxy.text("ipvs", "fallback").equals("fail")) {
      settings.put("strict-mode", true);
    }
    String pods = proxy.text("clusterCIDR");
    if (!pods.isEmpty()) {
      settings.put("cluster-cidr", pods);
    }
    List<String> covered = List.of("mode", "ipvs.fallback", "clusterCIDR");
    // What `up` writes over a configuration that it finds in its cluster.
    Map<String, String> underUp =
        fields(
            new UpProxyConfiguration(Optional.empty(), false, UpNodeOptionReader.NAME, List.of())
                .over(proxy));
    List<Phrase> left = new ArrayList<>();
    changed(proxy, ProxyConfiguration.defaults())
        .forEach(
            (name, value) -> {
              if (!covered.contains(name)) {
                boolean taken = value.equals(underUp.get(name)) && !name.startsWith(CONNECTION);
                left.add(Phrase.of(taken ? "config.left.map" : "config.left.own", name, value));
              }
            });
    return new ConfigConversion(yaml(settings), left);
  }

  private static ConfigConversion proxyFile(
      ProxyConfiguration proxy, String form, List<Phrase> left) {
    String text = Yaml.write(proxy.tree());
    return new ConfigConversion(
        form.equals(PROXY) ? text : configMap("kube-proxy", KubeProxyConfigMap.FILE, text), left);
  }

  private static ConfigConversion flagsOfProxy(ProxyConfiguration proxy) {
    List<ProxyFlag> flags =
        Stream.concat(ProxyFlag.all().stream(), Stream.of(ProxyOptions.STRICT_MODE)).toList();
    ProxyConfiguration standard = ProxyConfiguration.defaults();
    ProxyConfiguration made = standard;
    StringBuilder lines = new StringBuilder();
    for (ProxyFlag flag : flags) {
      String[] path = flag.path().toArray(String[]::new);
      JsonNode value = Json.at(proxy.tree(), path);
      if (!value.equals(Json.at(standard.tree(), path))) {
        String text = text(value);
        made = made.with(flag, text);
        lines.append(line(flag.name(), flag.equals(ProxyOptions.STRICT_MODE) ? "true" : text));
      }
    }
    List<Phrase> left = new ArrayList<>();
    changed(proxy, made)
        .forEach((name, value) -> left.add(Phrase.of("config.left.flag", name, value)));
    return new ConfigConversion(lines.toString(), left);
  }

  private static ConfigConversion ofSettings(Path file, String form) {
    // Of the file alone: what the environment says here is not said where the result is read.
    ArgumentParser parser = new ArgumentParser(Map.of());
    List<Setting> given = given(parser, Grammar.UP, file);
    if (form.equals(FLAGS)) {
      return new ConfigConversion(lines(given), List.of());
    }
    Arguments arguments = parser.parse(Grammar.UP, List.of("--config=" + file));
    UpProxyConfiguration up =
        new UpProxyConfiguration(
            arguments.find("proxy-mode"),
            arguments.on("strict-mode"),
            UpNodeOptionReader.NAME,
            new AgentOptionReader(arguments).clusterRanges());
    List<Phrase> left =
        given.stream()
            .filter(each -> !OF_PROXY.contains(each.flag()))
            .map(each -> Phrase.of("config.left.proxy", each.flag(), each.value()))
            .toList();
    return proxyFile(up.get(), form, left);
  }

  private static ConfigConversion ofKubelet(Path file, String form) {
    ArgumentParser parser = new ArgumentParser(Map.of());
    List<Setting> given = given(parser, Grammar.AGENT, file);
    List<Phrase> left = new ArrayList<>();
    parser.parse(Grammar.AGENT, List.of("--config=" + file)).ignored().stream()
        .map(each -> each.name().replaceFirst(".*: ", ""))
        .forEach(each -> left.add(Phrase.of("config.without", each)));
    if (form.equals(FLAGS)) {
      return new ConfigConversion(lines(given), left);
    }
    List<String> known = Grammar.UP.flags().stream().map(Flag::name).toList();
    ObjectNode settings = Json.object();
    for (Setting each : given) {
      if (known.contains(each.flag())) {
        settings.set(each.flag(), Yaml.parse(each.value()));
      } else {
        left.add(Phrase.of("config.left.up", each.flag(), each.value()));
      }
    }
    return new ConfigConversion(yaml(settings), left);
  }

  /// What the file itself sets.
  private static List<Setting> given(ArgumentParser parser, Verb verb, Path file) {
    return parser.settings(verb, file.toString()).stream()
        .filter(each -> each.origin().equals(file.toString()))
        .toList();
  }

  private static Map<String, String> fields(ProxyConfiguration proxy) {
    Map<String, String> fields = new TreeMap<>();
    ConfigCommand.collect("", proxy.tree(), fields::put);
    return fields;
  }

  private static Map<String, String> changed(ProxyConfiguration from, ProxyConfiguration to) {
    Map<String, String> fields = fields(from);
    fields.entrySet().removeAll(fields(to).entrySet());
    return fields;
  }

  private static String lines(List<Setting> settings) {
    StringBuilder lines = new StringBuilder();
    settings.forEach(each -> lines.append(line(each.flag(), each.value())));
    return lines.toString();
  }

  /// One a line, quoted where a shell would take it apart.
  private static String line(String flag, String value) {
    String quoted =
        value.matches("[\\w./:,=@%+-]*") ? value : "'" + value.replace("'", "'\\''") + "'";
    return "--" + flag + "=" + quoted + "\n";
  }

  private static String text(JsonNode value) {
    if (value instanceof ArrayNode list) {
      return String.join(",", list.valueStream().map(each -> each.asString("")).toList());
    }
    return value.isString() ? value.asString() : value.toString();
  }

  /// A file without settings is empty, not an object without members.
  private static String yaml(ObjectNode settings) {
    return settings.isEmpty() ? "" : Yaml.write(settings);
  }

  private static String configMap(String name, String key, String text) {
    ObjectNode map = Json.object().put("apiVersion", "v1").put("kind", CONFIG_MAP);
    map.putObject("metadata").put("name", name).put("namespace", "kube-system");
    map.putObject("data").put(key, text);
    return Yaml.write(map);
  }
}
