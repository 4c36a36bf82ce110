package io.fairlead.server.paths;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.discovery.DiscoveryDocuments;
import io.fairlead.server.discovery.DiscoveryDocuments.Aggregated;
import io.fairlead.server.discovery.JoinedDocuments;
import io.fairlead.server.discovery.RemoteGroup;
import io.fairlead.server.discovery.StaticDocument;
import io.fairlead.server.request.MediaType;
import io.fairlead.server.resource.Resource;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Serves `/api`, `/apis` and below, as far as they describe the API (spec 1.4).
public final class DiscoveryPaths implements PathHandler {
  private final JoinedDocuments joined = new JoinedDocuments();
  private volatile DiscoveryDocuments discovery;

  public DiscoveryPaths(DiscoveryDocuments discovery) {
    this.discovery = discovery;
  }

  /// From now on the groups of other servers are listed too.
  public void join(Supplier<List<RemoteGroup>> groups) {
    joined.join(groups);
  }

  @Override
  public boolean handle(HttpServerExchange exchange) throws IOException {
    String[] parts = exchange.path().substring(1).split("/");
    StaticDocument document = find(exchange, parts);
    if (document == null) {
      return false;
    }
    if (!exchange.method().equals("GET")) {
      throw ApiException.methodNotAllowed();
    }
    DocumentSender.send(exchange, document);
    return true;
  }

  @Override
  public void served(List<Resource> all) {
    discovery = discovery.of(all);
  }

  private @Nullable StaticDocument find(HttpServerExchange exchange, String[] parts) {
    return switch (parts[0]) {
      case "api" ->
          switch (parts.length) {
            case 1 -> choose(exchange, discovery.apiVersions(), discovery::aggregatedCore);
            case 2 -> plain(exchange, discovery.resources("", parts[1]));
            default -> null;
          };
      case "apis" ->
          switch (parts.length) {
            case 1 ->
                choose(
                    exchange,
                    joined.groups(discovery.groups(), false),
                    version -> joined.groups(discovery.aggregatedGroups(version), true));
            case 2 -> plain(exchange, group(parts[1]));
            case 3 -> plain(exchange, discovery.resources(parts[1], parts[2]));
            default -> null;
          };
      default -> null;
    };
  }

  private @Nullable StaticDocument group(String name) {
    StaticDocument own = discovery.group(name);
    return own == null ? joined.group(name) : own;
  }

  /// The first clause that can be served decides, and the answer's type repeats it exactly.
  private static StaticDocument choose(
      HttpServerExchange exchange,
      StaticDocument legacy,
      Function<Aggregated, StaticDocument> aggregated) {
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

  private static @Nullable StaticDocument plain(
      HttpServerExchange exchange, @Nullable StaticDocument document) {
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
