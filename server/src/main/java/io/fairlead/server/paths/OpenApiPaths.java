package io.fairlead.server.paths;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.discovery.StaticDocument;
import io.fairlead.server.openapi.OpenApi;
import io.fairlead.server.request.MediaType;
import io.fairlead.server.resource.Resource;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/// Serves `/openapi/v2` and `/openapi/v3` (spec 1.6).
public final class OpenApiPaths implements PathHandler {
  private static final String V3 = "/openapi/v3";
  private static final Duration FAR = Duration.ofDays(365);

  private volatile OpenApi api;
  private final InstantSource clock;

  public OpenApiPaths(OpenApi api, InstantSource clock) {
    this.api = api;
    this.clock = clock;
  }

  @Override
  public boolean handle(HttpServerExchange exchange) throws IOException {
    String path = exchange.path();
    if (path.equals("/openapi/v2")) {
      DocumentSender.send(exchange, version2(exchange));
      return true;
    }
    if (path.equals(V3) || path.equals(V3 + "/")) {
      DocumentSender.send(exchange, api.index());
      return true;
    }
    if (!path.startsWith(V3 + "/")) {
      return false;
    }
    String name = path.substring(V3.length() + 1);
    StaticDocument document = api.document(name);
    if (document == null) {
      throw ApiException.noSuchResource();
    }
    sendVersion3(exchange, name, document);
    return true;
  }

  @Override
  public void served(List<Resource> all) {
    api = api.of(all);
  }

  /// A document that is asked for by its hash never changes and may be kept; one that is asked for
  /// by an old hash has moved.
  private void sendVersion3(HttpServerExchange exchange, String name, StaticDocument document)
      throws IOException {
    String hash = exchange.query().text("hash");
    if (!hash.isEmpty() && !hash.equals(document.hash())) {
      exchange.setStatus(301);
      exchange.setHeader("Location", OpenApi.location(name, document));
      return;
    }
    if (!hash.isEmpty()) {
      exchange.setHeader("Cache-Control", "public, immutable");
      exchange.setHeader(
          "Expires",
          DateTimeFormatter.RFC_1123_DATE_TIME.format(
              clock.instant().plus(FAR).atOffset(ZoneOffset.UTC)));
    }
    DocumentSender.send(exchange, document);
  }

  private StaticDocument version2(HttpServerExchange exchange) {
    for (MediaType clause : MediaType.accepted(exchange.headers("Accept"))) {
      switch (clause.type()) {
        case OpenApi.PROTOBUF_V2_REQUEST, OpenApi.PROTOBUF_V2 -> {
          return api.version2Protobuf();
        }
        case "application/json", "application/*", "*/*" -> {
          return api.version2Json();
        }
        default -> {}
      }
    }
    throw new ApiException(
        Status.of(
            406,
            "NotAcceptable",
            "only the following media types are accepted: application/json, "
                + OpenApi.PROTOBUF_V2));
  }
}
