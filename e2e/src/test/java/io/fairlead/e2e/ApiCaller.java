package io.fairlead.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/// Sends plain requests with a token, for what tests prepare and look up.
public final class ApiCaller {
  private final HttpClient http;
  private final URI server;
  private final String token;

  public ApiCaller(HttpClient http, URI server, String token) {
    this.http = http;
    this.server = server;
    this.token = token;
  }

  public JsonNode get(String path) {
    return expectSuccess(send("GET", path, "application/json", ""));
  }

  /// POSTs JSON; single quotes may stand for double ones.
  public JsonNode create(String path, String json) {
    return expectSuccess(send("POST", path, "application/json", json.replace('\'', '"')));
  }

  /// Merge patch; single quotes may stand for double ones.
  public JsonNode merge(String path, String json) {
    return expectSuccess(
        send("PATCH", path, "application/merge-patch+json", json.replace('\'', '"')));
  }

  public JsonNode delete(String path) {
    return expectSuccess(send("DELETE", path, "application/json", ""));
  }

  public HttpResponse<byte[]> send(String method, String path, String contentType, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server + path))
            .header("Authorization", "Bearer " + token)
            .header("Accept", "application/json")
            .header("Content-Type", contentType)
            .timeout(Duration.ofSeconds(30))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    try {
      return http.send(request, BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode expectSuccess(HttpResponse<byte[]> response) {
    assertThat(response.statusCode())
        .as(response.request().uri() + " " + new String(response.body(), UTF_8))
        .isLessThan(300);
    return Json.parse(response.body());
  }
}
