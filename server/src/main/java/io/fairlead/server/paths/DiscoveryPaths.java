package io.fairlead.server.paths;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.server.discovery.Discovery;
import io.fairlead.server.discovery.Discovery.Aggregated;
import io.fairlead.server.discovery.Document;
import io.fairlead.server.http.Exchange;
import io.fairlead.server.request.MediaType;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Serves `/api`, `/apis` and below, as far as they describe the API (spec 1.4).
public final class DiscoveryPaths implements PathHandler {
  private final Discovery discovery;

  public DiscoveryPaths(Discovery discovery) {
    this.discovery = discovery;
  }

  @Override
  public boolean handle(Exchange exchange) throws IOException {
    String[] parts = exchange.path().substring(1).split("/");
    Document document = find(exchange, parts);
    if (document == null) {
      return false;
    }
    if (!exchange.method().equals("GET")) {
      throw ApiException.methodNotAllowed();
    }
    Documents.send(exchange, document);
    return true;
  }

  private @Nullable Document find(Exchange exchange, String[] parts) {
    return switch (parts[0]) {
      case "api" ->
          switch (parts.length) {
            case 1 -> choose(exchange, discovery.apiVersions(), discovery::aggregatedCore);
            case 2 -> plain(exchange, discovery.resources("", parts[1]));
            default -> null;
          };
      case "apis" ->
          switch (parts.length) {
            case 1 -> choose(exchange, discovery.groups(), discovery::aggregatedGroups);
            case 2 -> plain(exchange, discovery.group(parts[1]));
            case 3 -> plain(exchange, discovery.resources(parts[1], parts[2]));
            default -> null;
          };
      default -> null;
    };
  }

  /// The first clause that can be served decides, and the answer's type repeats it exactly.
  private static Document choose(
      Exchange exchange, Document legacy, Function<Aggregated, Document> aggregated) {
    for (MediaType clause : MediaType.accepted(exchange.headers("Accept"))) {
      if (isAggregated(clause)) {
        for (Aggregated version : Aggregated.values()) {
          if (MediaType.parse(version.contentType()).parameter("v").equals(clause.parameter("v"))) {
            return aggregated.apply(version);
          }
        }
      } else if (isJson(clause)) {
        return legacy;
      }
    }
    throw notAcceptable();
  }

  private static @Nullable Document plain(Exchange exchange, @Nullable Document document) {
    if (document == null) {
      return null;
    }
    if (MediaType.accepted(exchange.headers("Accept")).stream().noneMatch(DiscoveryPaths::isJson)) {
      throw notAcceptable();
    }
    return document;
  }

  private static boolean isAggregated(MediaType clause) {
    return clause.type().equals("application/json")
        && clause.parameter("as").equals("APIGroupDiscoveryList")
        && clause.parameter("g").equals("apidiscovery.k8s.io");
  }

  private static boolean isJson(MediaType clause) {
    return switch (clause.type()) {
      case "application/json" -> clause.parameter("as").isEmpty();
      case "*/*", "application/*" -> true;
      default -> false;
    };
  }

  private static ApiException notAcceptable() {
    return new ApiException(
        Status.of(
            406, "NotAcceptable", "only the following media types are accepted: application/json"));
  }
}
