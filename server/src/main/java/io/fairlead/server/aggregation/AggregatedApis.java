package io.fairlead.server.aggregation;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.cache.Caches;
import io.fairlead.server.cache.CompiledObjects;
import io.fairlead.server.resources.admission.ApiServiceResource;
import io.fairlead.server.stream.AggregatedApiProxy;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Serves what other API servers serve: finds who does, and passes the request on. This server's
/// own versions come first. Safe for many threads.
public final class AggregatedApis {
  private final CompiledObjects<RemoteApiService> services;
  private final AggregatedApiProxy proxy;

  public AggregatedApis(Caches caches, AggregatedApiProxy proxy) {
    this.services =
        new CompiledObjects<>(
            caches.find(ApiServiceResource.GROUP, ApiServiceResource.PLURAL), RemoteApiService::of);
    this.proxy = proxy;
  }

  /// All that others serve, by name.
  List<RemoteApiService> all() {
    return services.all();
  }

  /// The paths of all that others serve, `/apis/GROUP/VERSION`.
  public List<String> paths() {
    return services.all().stream().map(RemoteApiService::path).toList();
  }

  AggregatedApiProxy proxy() {
    return proxy;
  }

  /// Passes the request on when its path is one of another server.
  ///
  /// @return false when it is not; nothing was sent then
  /// @throws ApiException 503 when that server is not available
  public boolean serve(HttpServerExchange exchange, UserInfo user) throws IOException {
    RemoteApiService service = find(exchange.path());
    if (service == null) {
      return false;
    }
    if (!service.available()) {
      throw new ApiException(Status.of(503, "ServiceUnavailable", "service unavailable"));
    }
    proxy.serve(exchange, service.place(), user);
    return true;
  }

  private @Nullable RemoteApiService find(String path) {
    List<RemoteApiService> all = services.all();
    if (all.isEmpty() || !path.startsWith("/apis/")) {
      return null;
    }
    for (RemoteApiService each : all) {
      String own = each.path();
      if (path.startsWith(own)
          && (path.length() == own.length() || path.charAt(own.length()) == '/')) {
        return each;
      }
    }
    return null;
  }
}
