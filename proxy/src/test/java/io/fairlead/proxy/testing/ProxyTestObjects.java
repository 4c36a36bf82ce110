package io.fairlead.proxy.testing;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.tracking.Planner;
import io.fairlead.proxy.tracking.ServiceObject;
import io.fairlead.proxy.tracking.SliceObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// Objects of the API for tests, and the plans made from them.
public final class ProxyTestObjects {
  private ProxyTestObjects() {}

  /// The text of a file of the test resources.
  public static String resource(String path) {
    try (InputStream stream = ProxyTestObjects.class.getResourceAsStream("/" + path)) {
      if (stream == null) {
        throw new IllegalArgumentException("no resource " + path);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static boolean hasResource(String path) {
    return ProxyTestObjects.class.getResource("/" + path) != null;
  }

  /// The documents of a YAML text.
  public static List<ObjectNode> yaml(String text) {
    return Stream.of(text.split("(?m)^---\n"))
        .filter(document -> !document.isBlank())
        .map(document -> (ObjectNode) Yaml.parse(document))
        .toList();
  }

  /// What the selectors of the proxy's list and watch let through.
  public static List<ObjectNode> visible(List<ObjectNode> objects) {
    return objects.stream().filter(ProxyTestObjects::isVisible).toList();
  }

  private static boolean isVisible(ObjectNode object) {
    String hiding =
        switch (Json.textOr(object, "", "kind")) {
          case "Service" -> "service.kubernetes.io/service-proxy-name";
          case "EndpointSlice" -> "service.kubernetes.io/headless";
          default -> "";
        };
    return !object.path("metadata").path("labels").has(hiding)
        && !Json.textOr(object, "", "spec", "clusterIP").equals("None");
  }

  /// The plan of one family for some objects.
  public static Plan plan(NodeFacts node, List<ObjectNode> objects) {
    Planner planner = new Planner(node, Instant.EPOCH);
    feed(planner, objects);
    return planner.plan().plan();
  }

  /// Hands Services and slices to a planner.
  public static void feed(Planner planner, List<ObjectNode> objects) {
    for (ObjectNode object : visible(objects)) {
      switch (Json.textOr(object, "", "kind")) {
        case "Service" -> planner.put(ServiceObject.of(object));
        case "EndpointSlice" -> planner.put(SliceObject.of(object));
        default -> {}
      }
    }
  }

  public static IpAddress ip(String text) {
    return IpAddress.parse(text);
  }
}
