package io.fairlead.app.command;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.proxy.config.ProxyConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a file of settings is, told from what it says.
enum ConfigurationFileKind {
  /// Flags of `up`.
  SETTINGS("fairlead.yaml"),
  /// Of the proxy, as kube-proxy's.
  PROXY(ProxyConfiguration.KIND),
  /// Of the agent, as kubelet's.
  KUBELET("KubeletConfiguration"),
  /// Of the DNS server, as CoreDNS's.
  COREFILE("Corefile");

  private final String shown;

  ConfigurationFileKind(String shown) {
    this.shown = shown;
  }

  static ConfigurationFileKind of(Path file) {
    return of(file, read(file));
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new FairleadException(ErrorCode.FL304, e, "config", file.toString());
    }
  }

  /// @param text what the file holds
  static ConfigurationFileKind of(Path file, String text) {
    Path name = file.getFileName();
    if (name != null && name.toString().toLowerCase(Locale.ROOT).contains("corefile")) {
      return COREFILE;
    }
    // A block of a Corefile is no mapping; of anything else the reader says where it is wrong.
    ConfigurationFileKind otherwise = text.contains("{\n") ? COREFILE : SETTINGS;
    try {
      JsonNode document = Yaml.parse(text);
      if (!(document instanceof ObjectNode object)) {
        return otherwise;
      }
      String kind = Json.textOr(object, "", "kind");
      return kind.equals(PROXY.shown) ? PROXY : kind.equals(KUBELET.shown) ? KUBELET : SETTINGS;
    } catch (DecodeException e) {
      return otherwise;
    }
  }

  @Override
  public String toString() {
    return shown;
  }
}
