package io.fairlead.app.cli;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.text.Phrase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A file of kind KubeletConfiguration, as kubeadm writes it for a kubelet, as flags of `agent`.
/// Fields that say nothing (`0s`, `{}`, an empty text) mean the default; those that the agent does
/// not act on are named, so that a warning can be given.
///
/// @param flags values by name of the flag
/// @param ignored paths of the fields without effect
record KubeletConfigurationFile(Map<String, String> flags, List<String> ignored) {
  private static final String API_VERSION = "kubelet.config.k8s.io/v1beta1";
  private static final String KIND = "KubeletConfiguration";

  /// What the fields are called as flags.
  private static final Map<String, String> FLAGS =
      Map.ofEntries(
          Map.entry("authentication.x509.clientCAFile", "client-ca-file"),
          Map.entry("clusterDNS", "cluster-dns"),
          Map.entry("clusterDomain", "cluster-domain"),
          Map.entry("containerRuntimeEndpoint", "containerd"),
          Map.entry("maxPods", "max-pods"),
          Map.entry("podCIDR", "pod-cidr"),
          Map.entry("port", "port"),
          Map.entry("resolvConf", "resolv-conf"),
          Map.entry("staticPodPath", "pod-manifest-path"),
          Map.entry("logging.format", "logging-format"));

  /// What the agent does in any case, with the only value it has.
  private static final Map<String, String> ALWAYS =
      Map.of(
          "apiVersion", API_VERSION,
          "kind", KIND,
          "authentication.webhook.enabled", "true",
          "authorization.mode", "Webhook",
          "registerNode", "true");

  KubeletConfigurationFile {
    flags = Map.copyOf(flags);
    ignored = List.copyOf(ignored);
  }

  /// Reads a file.
  ///
  /// @throws FairleadException when it is no such file, or opens the node's server to anybody
  static KubeletConfigurationFile read(Path file) {
    JsonNode document;
    try {
      document = Yaml.parse(Files.readString(file));
    } catch (IOException e) {
      throw new FairleadException(ErrorCode.FL304, e, "--config", file);
    } catch (DecodeException e) {
      throw new FairleadException(ErrorCode.FL310, e, file, String.valueOf(e.getMessage()));
    }
    if (!(document instanceof ObjectNode fields)
        || !Json.textOr(fields, "", "kind").equals(KIND)
        || !Json.textOr(fields, "", "apiVersion").equals(API_VERSION)) {
      throw new FairleadException(
          ErrorCode.FL310, file, Phrase.of("FL310.kubelet", KIND, API_VERSION));
    }
    boolean open =
        Json.at(fields, "authentication", "anonymous", "enabled").asBoolean(false)
            || Json.textOr(fields, "", "authorization", "mode").equals("AlwaysAllow");
    if (open) {
      throw new FairleadException(ErrorCode.FL310, file, Phrase.of("FL310.open"));
    }
    Map<String, String> flags = new TreeMap<>();
    List<String> ignored = new ArrayList<>();
    collect("", fields, flags, ignored);
    return new KubeletConfigurationFile(flags, ignored);
  }

  private static void collect(
      String path, ObjectNode fields, Map<String, String> flags, List<String> ignored) {
    for (Map.Entry<String, JsonNode> member : fields.properties()) {
      String name = path + member.getKey();
      JsonNode value = member.getValue();
      if (saysNothing(value) || text(value).equals(ALWAYS.get(name))) {
        continue;
      }
      String flag = FLAGS.get(name);
      if (flag != null) {
        flags.put(flag, text(value));
      } else if (value instanceof ObjectNode nested) {
        collect(name + ".", nested, flags, ignored);
      } else {
        ignored.add(name);
      }
    }
  }

  private static boolean saysNothing(JsonNode value) {
    return switch (value.getNodeType()) {
      case NULL, MISSING -> true;
      case BOOLEAN -> !value.asBoolean();
      case NUMBER -> value.asDouble() == 0;
      case STRING -> value.asString().isEmpty() || value.asString().matches("0[a-z]*");
      case ARRAY -> value.isEmpty();
      default ->
          StreamSupport.stream(value.spliterator(), false)
              .allMatch(KubeletConfigurationFile::saysNothing);
    };
  }

  private static String text(JsonNode value) {
    return value.isArray()
        ? StreamSupport.stream(value.spliterator(), false)
            .map(KubeletConfigurationFile::text)
            .collect(Collectors.joining(","))
        : value.isString() ? value.asString() : value.toString();
  }
}
