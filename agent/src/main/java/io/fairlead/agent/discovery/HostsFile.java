package io.fairlead.agent.discovery;

import io.fairlead.agent.pod.Pod;
import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The text of a pod's `/etc/hosts`.
public final class HostsFile {
  private static final String STANDARD =
      """
      127.0.0.1\tlocalhost
      ::1\tlocalhost ip6-localhost ip6-loopback
      fe00::0\tip6-localnet
      fe00::0\tip6-mcastprefix
      fe00::1\tip6-allnodes
      fe00::2\tip6-allrouters
      """;

  private HostsFile() {}

  /// @param node the node's own file, which a pod in its network starts from
  public static String of(Pod pod, HostNames names, List<String> addresses, String node) {
    StringBuilder text = new StringBuilder();
    if (pod.hostNetwork()) {
      text.append("# Kubernetes-managed hosts file (host network).\n").append(node);
    } else {
      text.append("# Kubernetes-managed hosts file.\n").append(STANDARD);
      for (String address : addresses) {
        text.append(address).append('\t');
        if (!names.domain().isEmpty()) {
          text.append(names.full()).append('\t');
        }
        text.append(names.name()).append('\n');
      }
    }
    JsonNode aliases = pod.spec().path("hostAliases");
    if (!aliases.isEmpty()) {
      text.append("\n# Entries added by HostAliases.\n");
      for (JsonNode alias : aliases) {
        List<String> words = new ArrayList<>(List.of(Json.textOr(alias, "", "ip")));
        alias.path("hostnames").forEach(name -> words.add(name.asString("")));
        text.append(String.join("\t", words)).append('\n');
      }
    }
    return text.toString();
  }
}
