package io.fairlead.server.resources.admission;

import io.fairlead.api.json.Json;
import io.fairlead.server.resources.kind.Problems;
import java.net.URI;
import tools.jackson.databind.JsonNode;

/// What is wrong with a `clientConfig`, in the words of the original.
public final class ClientConfigValidation {
  private static final String FORM = "; desired format: https://host[/path]";

  private ClientConfigValidation() {}

  public static void check(Problems problems, String path, JsonNode config) {
    boolean byUrl = config.path("url").isString();
    boolean byService = config.path("service").isObject();
    if (byUrl == byService) {
      problems.required(path, "exactly one of url or service is required");
    } else if (byUrl) {
      url(problems, path + ".url", Json.textOr(config, "", "url"));
    } else {
      service(problems, path + ".service", config.path("service"));
    }
  }

  private static void url(Problems problems, String path, String text) {
    if (text.equals("https://")) {
      problems.invalid(path, "", "host must be specified" + FORM); // what URI does not read
      return;
    }
    URI url;
    try {
      url = URI.create(text);
    } catch (IllegalArgumentException e) {
      problems.required(path, "url must be a valid URL: " + e.getMessage() + FORM);
      return;
    }
    if (!"https".equals(url.getScheme())) {
      problems.invalid(
          path, shown(url.getScheme()), "'https' is the only allowed URL scheme" + FORM);
    }
    if (url.getHost() == null || url.getHost().isEmpty()) {
      problems.invalid(path, shown(url.getHost()), "host must be specified" + FORM);
    }
    if (url.getUserInfo() != null) {
      problems.invalid(path, url.getUserInfo(), "user information is not permitted in the URL");
    }
    if (url.getRawFragment() != null) {
      problems.invalid(path, url.getRawFragment(), "fragments are not permitted in the URL");
    }
    if (url.getRawQuery() != null) {
      problems.invalid(path, url.getRawQuery(), "query parameters are not permitted in the URL");
    }
  }

  private static String shown(@org.jspecify.annotations.Nullable String part) {
    return part == null ? "" : part;
  }

  private static void service(Problems problems, String path, JsonNode service) {
    if (Json.textOr(service, "", "name").isEmpty()) {
      problems.required(path + ".name");
    }
    if (Json.textOr(service, "", "namespace").isEmpty()) {
      problems.required(path + ".namespace");
    }
    JsonNode port = service.path("port");
    if (port.isNumber() && (port.asInt() < 1 || port.asInt() > 0xffff)) {
      problems.invalid(
          path + ".port", port, "port is not valid: must be between 1 and 65535, inclusive");
    }
    String text = Json.textOr(service, "", "path");
    if (text.isEmpty() || text.equals("/")) {
      return;
    }
    if (!text.startsWith("/")) {
      problems.invalid(path + ".path", text, "must start with a '/'");
    }
    String[] segments =
        (text.endsWith("/") ? text.substring(0, text.length() - 1) : text)
            .substring(1)
            .split("/", -1);
    for (int i = 0; i < segments.length; i++) {
      if (segments[i].isEmpty()) {
        problems.invalid(path + ".path", text, "segment[" + i + "] may not be empty");
      } else {
        for (String fault : io.fairlead.api.names.NameValidation.dns1123Subdomain(segments[i])) {
          problems.invalid(path + ".path", text, "segment[" + i + "]: " + fault);
        }
      }
    }
  }
}
