package io.fairlead.agent.api;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.http.server.MessageConnection;
import io.fairlead.http.server.UpgradeHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One request to the node's server and its answer. Belongs to the request's thread.
final class NodeCall {
  private final HttpServerExchange exchange;

  NodeCall(HttpServerExchange exchange) {
    this.exchange = exchange;
  }

  String method() {
    return exchange.method();
  }

  /// The path's segments, without empty ones; percent escapes are as they came.
  List<String> path() {
    return Arrays.stream(exchange.path().split("/")).filter(segment -> !segment.isEmpty()).toList();
  }

  /// Whether the path names a directory.
  boolean endsWithSlash() {
    return exchange.path().endsWith("/");
  }

  /// The same at another place.
  ///
  /// @param location relative to the path
  void redirect(String location) {
    exchange.setStatus(301);
    exchange.setHeader("Location", location);
  }

  String text(String name) {
    return exchange.query().text(name);
  }

  List<String> all(String name) {
    return exchange.query().all(name);
  }

  boolean has(String name) {
    return exchange.query().has(name);
  }

  /// Missing, `0` and `false` are off, everything else is on.
  boolean isOn(String name) {
    return exchange.query().isOn(name);
  }

  Optional<Long> number(String name) {
    String text = text(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (!text.matches("[0-9]{1,18}")) {
      throw ApiException.badRequest(name + " is no number: " + text);
    }
    return Optional.of(Long.parseLong(text));
  }

  @Nullable String header(String name) {
    return exchange.header(name);
  }

  /// A header that is a list, its words in order.
  List<String> words(String name) {
    return exchange.headers(name).stream()
        .flatMap(value -> Arrays.stream(value.split(",")))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .toList();
  }

  List<X509Certificate> certificates() {
    return exchange.clientCertificates();
  }

  @Nullable String token() {
    String authorization = header("Authorization");
    return authorization != null && authorization.regionMatches(true, 0, "Bearer ", 0, 7)
        ? authorization.substring(7).strip()
        : null;
  }

  /// The client is known.
  void setAuthenticated() {
    exchange.setAuthenticated();
  }

  /// The headers by which one who asks wants to be taken for another.
  Map<String, List<String>> impersonation() {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (String name : exchange.headerNames()) {
      if (name.regionMatches(true, 0, "impersonate-", 0, "impersonate-".length())) {
        headers.put(name, exchange.headers(name));
      }
    }
    return headers;
  }

  /// The whole body.
  ///
  /// @throws ApiException 413 when it is larger
  byte[] body(int most) throws IOException {
    byte[] bytes = exchange.body().readNBytes(most + 1);
    if (bytes.length > most) {
      throw ApiException.tooLarge(most);
    }
    return bytes;
  }

  void send(int code, String type, byte[] body) throws IOException {
    exchange.setStatus(code);
    exchange.setHeader("Content-Type", type);
    exchange.send(body, body.length);
  }

  void send(Status status) throws IOException {
    send(status.code(), "application/json", Json.bytes(status.toJson()));
  }

  void setHeader(String name, String value) {
    exchange.setHeader(name, value);
  }

  /// The body of an answer that may take long and be silent.
  OutputStream stream(String type) {
    exchange.mayBeSilent();
    exchange.setStatus(200);
    exchange.setHeader("Content-Type", type);
    return exchange.output();
  }

  boolean isCommitted() {
    return exchange.isCommitted();
  }

  /// Answers 101 and leaves the connection to that handler.
  void upgrade(String protocol, String stream, UpgradeHandler handler) {
    exchange.setHeader("Upgrade", protocol);
    exchange.setHeader("Connection", "Upgrade");
    exchange.setHeader("X-Stream-Protocol-Version", stream);
    exchange.upgradeRaw(handler);
  }

  /// Answers 101 and leaves the connection to the receiver.
  ///
  /// @return false when the client's handshake is not a proper one
  boolean upgrade(String protocol, Function<MessageConnection, MessageConnection.Receiver> opened) {
    return exchange.upgrade(protocol, opened);
  }
}
