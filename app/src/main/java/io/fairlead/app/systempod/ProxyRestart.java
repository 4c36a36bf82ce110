package io.fairlead.app.systempod;

import io.fairlead.app.systempod.SystemPod.Note;
import io.fairlead.client.Client;
import io.fairlead.proxy.config.ConfigurationException;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.DataPlaneException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What deleting the proxy's pod does: the proxy goes on as the ConfigMap says. Only its mode can
/// change while it runs; everything else waits for the next `up`, and the pod's events say so.
///
/// Owned by the publisher's loop.
final class ProxyRestart implements SystemPod.RestartAction {
  private static final String MODE = "mode";

  private final ReconfigurableProxy proxy;

  ProxyRestart(ReconfigurableProxy proxy) {
    this.proxy = proxy;
  }

  @Override
  public List<Note> restart(Client client) {
    Optional<String> text = KubeProxyConfigMap.read(client);
    if (text.isEmpty()) {
      KubeProxyConfigMap.publish(client, proxy.configuration());
      return follow(proxy.configuration());
    }
    try {
      return follow(KubeProxyConfigMap.parse(text.get()));
    } catch (ConfigurationException e) {
      return List.of(
          new Note(
              true,
              "InvalidConfiguration",
              KubeProxyConfigMap.TITLE + " is ignored: " + e.getMessage()));
    }
  }

  private List<Note> follow(ProxyConfiguration wanted) {
    List<Note> notes = new ArrayList<>();
    try {
      notes.add(new Note(false, "Started", "the proxy runs in mode " + proxy.follow(wanted)));
    } catch (DataPlaneException e) {
      notes.add(
          new Note(
              true,
              "ModeNotChanged",
              "the mode "
                  + wanted.text(MODE)
                  + " cannot be had, the proxy goes on as before: "
                  + e.getMessage()));
    }
    List<String> later = differences("", proxy.configuration().tree(), wanted.tree());
    if (!later.isEmpty()) {
      notes.add(
          new Note(
              true,
              "NeedsUp",
              "takes effect with the next fairlead up: " + String.join(", ", later)));
    }
    return notes;
  }

  /// The fields that differ, but for the mode.
  static List<String> differences(String path, ObjectNode running, ObjectNode wanted) {
    List<String> names = new ArrayList<>();
    for (Map.Entry<String, JsonNode> field : running.properties()) {
      String name = path + field.getKey();
      JsonNode other = wanted.path(field.getKey());
      if (name.equals(MODE) || other.equals(field.getValue())) {
        continue;
      }
      if (field.getValue() instanceof ObjectNode here
          && other instanceof ObjectNode there
          && !here.isEmpty()) {
        names.addAll(differences(name + ".", here, there));
      } else {
        names.add(name);
      }
    }
    return names;
  }
}
