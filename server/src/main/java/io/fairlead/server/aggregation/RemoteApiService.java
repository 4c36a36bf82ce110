package io.fairlead.server.aggregation;

import io.fairlead.api.json.Json;
import io.fairlead.server.resources.admission.ApiServiceResource;
import io.fairlead.server.stream.AggregatedApiEndpoint;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// An APIService that another server stands behind.
record RemoteApiService(
    String name,
    String group,
    String version,
    AggregatedApiEndpoint place,
    int versionPriority,
    boolean available) {

  /// The one of an object; none when this server serves the version itself.
  static List<RemoteApiService> of(JsonNode object) {
    JsonNode spec = object.path("spec");
    JsonNode service = spec.path("service");
    if (!service.isObject()) {
      return List.of();
    }
    return List.of(
        new RemoteApiService(
            Json.textOr(object, "", "metadata", "name"),
            Json.textOr(spec, "", "group"),
            Json.textOr(spec, "", "version"),
            new AggregatedApiEndpoint(
                Json.textOr(service, "", "namespace"),
                Json.textOr(service, "", "name"),
                service.path("port").asInt(443),
                bundle(Json.textOr(spec, "", "caBundle")),
                spec.path("insecureSkipTLSVerify").asBoolean(false)),
            spec.path("versionPriority").asInt(0),
            Json.textOr(ApiServiceResource.available(object), "", "status").equals("True")));
  }

  private static String bundle(String text) {
    try {
      return new String(Base64.getDecoder().decode(text), StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException _) {
      return ""; // validation has refused it before
    }
  }

  /// The path of its documents.
  String path() {
    return "/apis/" + group + "/" + version;
  }
}
