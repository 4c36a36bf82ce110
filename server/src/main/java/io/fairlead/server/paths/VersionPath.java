package io.fairlead.server.paths;

import io.fairlead.api.json.Json;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.render.Negotiation;
import io.fairlead.server.render.ResponseWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Properties;
import tools.jackson.databind.node.ObjectNode;

/// Serves `/version`: the Kubernetes version whose behaviour is shown, and ours behind the plus.
public final class VersionPath implements PathHandler {
  private final ObjectNode document;

  public VersionPath(int emulatedMinor) {
    Properties build = build();
    String minor = Integer.toString(emulatedMinor);
    document = Json.object();
    document.put("major", "1").put("minor", minor);
    document.put("emulationMajor", "1").put("emulationMinor", minor);
    document.put("minCompatibilityMajor", "1").put("minCompatibilityMinor", minor);
    document.put(
        "gitVersion", "v1." + minor + ".0+fairlead." + build.getProperty("version", "unknown"));
    document.put("gitCommit", build.getProperty("commit", "unknown"));
    document.put("gitTreeState", "clean");
    document.put("buildDate", build.getProperty("built", "unknown"));
    document.put("goVersion", "").put("compiler", "javac");
    document.put("platform", "linux/" + architecture());
  }

  @Override
  public boolean handle(HttpServerExchange exchange) throws IOException {
    if (!exchange.path().equals("/version") && !exchange.path().equals("/version/")) {
      return false;
    }
    ResponseWriter.tree(exchange, Negotiation.forDocuments(exchange), 200, document);
    return true;
  }

  private static Properties build() {
    Properties properties = new Properties();
    try (InputStream in =
        VersionPath.class.getResourceAsStream("/io/fairlead/server/version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties;
  }

  private static String architecture() {
    return switch (System.getProperty("os.arch", "").toLowerCase(Locale.ROOT)) {
      case "amd64", "x86_64" -> "amd64";
      case "aarch64" -> "arm64";
      default -> System.getProperty("os.arch", "unknown");
    };
  }
}
