package io.fairlead.server.resources.pod;

import io.fairlead.server.resources.kind.Defaults;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Fills in one container.
final class ContainerDefaults {
  private static final List<String> PROBES =
      List.of("livenessProbe", "readinessProbe", "startupProbe");
  private static final int MAX_NAME = 255;
  // Components of lower case, a host that may have upper case, a tag, a digest; possessive, so that
  // no text takes long.
  private static final Pattern IMAGE =
      Pattern.compile(
          "(?:(?:[a-zA-Z0-9]++(?:[.-]++[a-zA-Z0-9]++)*+|\\[[a-fA-F0-9:]++\\])(?::[0-9]++)?+/)?"
              + "[a-z0-9]++(?:(?:\\.|__?+|-++)[a-z0-9]++)*+"
              + "(?:/[a-z0-9]++(?:(?:\\.|__?+|-++)[a-z0-9]++)*+)*+"
              + "(?::[\\w][\\w.-]{0,127}+)?+"
              + "(?:@[A-Za-z][A-Za-z0-9]*+(?:[-_+.][A-Za-z][A-Za-z0-9]*+)*+:[0-9a-fA-F]{32,}+)?+");
  private static final List<String> HOOKS = List.of("postStart", "preStop");

  private ContainerDefaults() {}

  static void apply(ObjectNode container) {
    Defaults.object(container, "resources");
    Defaults.text(container, "terminationMessagePath", "/dev/termination-log");
    Defaults.text(container, "terminationMessagePolicy", "File");
    Defaults.text(container, "imagePullPolicy", pullPolicy(container.path("image").asString("")));
    for (JsonNode port : container.path("ports")) {
      if (port instanceof ObjectNode one) {
        Defaults.text(one, "protocol", "TCP");
      }
    }
    for (JsonNode variable : container.path("env")) {
      if (variable.path("valueFrom").get("fieldRef") instanceof ObjectNode reference) {
        Defaults.text(reference, "apiVersion", "v1");
      }
      if (variable.path("valueFrom").get("resourceFieldRef") instanceof ObjectNode reference) {
        Defaults.missingText(reference, "divisor", "0");
      }
    }
    for (String probe : PROBES) {
      if (container.get(probe) instanceof ObjectNode one) {
        applyToProbe(one);
      }
    }
    for (String hook : HOOKS) {
      if (container.path("lifecycle").get(hook) instanceof ObjectNode one) {
        applyToHandler(one);
      }
    }
  }

  /// A tag that may move is pulled each time, a fixed one only when it is not there. So is a text
  /// that is no name of an image.
  static String pullPolicy(String image) {
    if (image.length() > MAX_NAME || !IMAGE.matcher(image).matches()) {
      return "IfNotPresent";
    }
    int at = image.indexOf('@');
    String name = at < 0 ? image : image.substring(0, at);
    int colon = name.lastIndexOf(':');
    boolean tagged = colon > name.lastIndexOf('/');
    if (!tagged) {
      return at < 0 ? "Always" : "IfNotPresent";
    }
    return name.substring(colon + 1).equals("latest") ? "Always" : "IfNotPresent";
  }

  private static void applyToProbe(ObjectNode probe) {
    Defaults.number(probe, "timeoutSeconds", 1);
    Defaults.number(probe, "periodSeconds", 10);
    Defaults.number(probe, "successThreshold", 1);
    Defaults.number(probe, "failureThreshold", 3);
    applyToHandler(probe);
    if (probe.get("grpc") instanceof ObjectNode grpc) {
      Defaults.missingText(grpc, "service", "");
    }
  }

  private static void applyToHandler(ObjectNode handler) {
    if (handler.get("httpGet") instanceof ObjectNode request) {
      Defaults.text(request, "path", "/");
      Defaults.text(request, "scheme", "HTTP");
    }
  }
}
