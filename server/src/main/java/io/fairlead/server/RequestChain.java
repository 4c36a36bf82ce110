package io.fairlead.server;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.http.server.RequestHandler;
import io.fairlead.server.aggregation.AggregatedApis;
import io.fairlead.server.audit.AuditLog;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.component.MountedPages;
import io.fairlead.server.crd.CustomResources;
import io.fairlead.server.flowcontrol.FlowControl;
import io.fairlead.server.limits.Deadline;
import io.fairlead.server.limits.RequestBodyReader;
import io.fairlead.server.limits.Watchdog;
import io.fairlead.server.paths.ApiServerMetrics;
import io.fairlead.server.paths.PathHandler;
import io.fairlead.server.render.ResponseWriter;
import io.fairlead.server.request.RequestInfo;
import io.fairlead.server.request.RequestInfoParser;
import io.fairlead.server.request.TimeoutParameter;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.rest.ResourceHandler;
import io.fairlead.server.rest.ResourceRegistry;
import io.fairlead.server.rest.ResourceRequest;
import io.fairlead.server.rest.RestDependencies;
import io.fairlead.server.stream.NodeInsightPath;
import io.fairlead.server.stream.NodeInsightRelay;
import io.fairlead.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The steps of every request: authenticate, impersonate, authorize, wait for its turn, serve.
final class RequestChain implements RequestHandler {
  private static final Logger log = LoggerFactory.getLogger(RequestChain.class);
  private static final int AUDIT_ID_MAX = 64;
  private static final Duration DISCARD_TIME = Duration.ofSeconds(5);
  private static final Duration READ_TIME = Duration.ofSeconds(60);
  private static final Duration WRITE_TIME = Duration.ofSeconds(34);
  private static final Duration INSIGHT_TIME = Duration.ofSeconds(40);
  private static final String WATCH = "watch";
  private static final Set<String> LONG = Set.of("log", "exec", "attach", "portforward", "proxy");

  private final RestDependencies core;
  private final AccessControl access;
  private final ResourceHandler resources;
  private final List<PathHandler> paths;
  private final MountedPages mounted;
  private final FlowControl flowControl;
  private final Watchdog watchdog;
  private final ApiServerMetrics metrics;
  private final @Nullable AuditLog auditLog;
  private final NodeInsightRelay nodes;
  private final AggregatedApis aggregated;
  private final CustomResources custom;

  RequestChain(
      RestDependencies core,
      AccessControl access,
      ResourceHandler resources,
      CustomResources custom,
      NodeInsightRelay nodes,
      AggregatedApis aggregated,
      List<PathHandler> paths,
      MountedPages mounted,
      FlowControl flowControl,
      Watchdog watchdog,
      ApiServerMetrics metrics,
      @Nullable AuditLog auditLog) {
    this.core = core;
    this.access = access;
    this.metrics = metrics;
    this.auditLog = auditLog;
    this.nodes = nodes;
    this.aggregated = aggregated;
    this.custom = custom;
    this.resources = resources;
    this.paths = List.copyOf(paths);
    this.mounted = mounted;
    this.flowControl = flowControl;
    this.watchdog = watchdog;
  }

  @Override
  public void handle(HttpServerExchange exchange) throws Exception {
    Optional<RequestHandler> pages = mounted.forBrowsers(exchange.path());
    if (pages.isPresent()) {
      browse(exchange, pages.get());
      return;
    }
    long began = System.nanoTime();
    String id = auditId(exchange);
    AuditTrail trail = new AuditTrail(auditLog, core.clock(), id);
    exchange.setHeader("Audit-Id", id);
    exchange.setHeader("Cache-Control", "no-cache, private");
    RequestInfo info = RequestInfo.ofPath(exchange.method(), exchange.path());
    try {
      info = RequestInfoParser.parse(exchange.method(), exchange.path(), exchange.query());
      serve(exchange, info, trail);
    } catch (ApiException e) {
      trail.refused(e.status());
      refuse(exchange, e.status(), e);
    } catch (StoreException e) {
      log.atError().addKeyValue("uri", exchange.maskedUri()).setCause(e).log("the store failed");
      refuse(
          exchange,
          ApiException.internal("the store could not do it: " + e.getMessage()).status(),
          e);
    } catch (RuntimeException e) {
      log.atError().addKeyValue("uri", exchange.maskedUri()).setCause(e).log("request failed");
      refuse(
          exchange,
          ApiException.internal("this is a fault of the server; its log says more").status(),
          e);
    } finally {
      metrics.answered(
          info,
          isServed(info),
          exchange.status(),
          exchange.query().has("dryRun"),
          System.nanoTime() - began);
      trail.answered(exchange, info);
    }
  }

  /// A page finds out itself who asks. What it does for its users comes back here as requests of
  /// theirs, which are counted, limited and recorded.
  private void browse(HttpServerExchange exchange, RequestHandler pages) throws Exception {
    if (exchange.method().equals("GET")) {
      pages.handle(exchange);
      return;
    }
    Watchdog.Guard guard = watchdog.guard(exchange, READ_TIME);
    try {
      pages.handle(exchange);
    } finally {
      guard.cancel();
    }
  }

  private boolean isServed(RequestInfo info) {
    if (!info.isResource()) {
      return false;
    }
    Resource resource = core.registry().find(info.group(), info.version(), info.resource());
    return resource != null
        && (info.subresource().isEmpty()
            || ResourceRegistry.subresource(resource, info.subresource()) != null);
  }

  /// Answers with a Status, or cuts the connection when an answer has begun.
  private void refuse(HttpServerExchange exchange, Status status, RuntimeException cause)
      throws IOException {
    if (exchange.isCommitted()) {
      throw cause;
    }
    exchange.reset();
    Watchdog.Guard guard = watchdog.guard(exchange, DISCARD_TIME);
    try {
      RequestBodyReader.discard(exchange);
    } finally {
      guard.cancel();
    }
    ResponseWriter.status(exchange, status);
  }

  /// The client's own id for the request, if it is a sensible one, else a new one.
  private static String auditId(HttpServerExchange exchange) {
    String given = exchange.header("Audit-Id");
    return given == null || given.isEmpty() || given.length() > AUDIT_ID_MAX
        ? QuickRandom.INSTANCE.uuid().toString()
        : given;
  }

  private void serve(HttpServerExchange exchange, RequestInfo info, AuditTrail trail)
      throws IOException, InterruptedException {
    UserInfo sender = access.authenticate(exchange);
    trail.authenticated(sender);
    if (!sender.equals(UserInfo.ANONYMOUS)) {
      exchange.setAuthenticated();
    }
    UserInfo user = access.impersonate(exchange, sender);
    trail.actsAs(user);
    Optional<NodeInsightPath> insight = NodeInsightPath.of(info);
    if (insight.isPresent()) {
      trail.decided(access.authorize(user, insight.get(), exchange));
      Watchdog.Guard guard = watchdog.guard(exchange, INSIGHT_TIME);
      try {
        nodes.serve(exchange, user, insight.get().node(), insight.get().what());
      } finally {
        guard.cancel();
      }
      return;
    }
    Resource resource = info.isResource() ? find(info) : null;
    trail.decided(access.authorize(user, info, exchange));
    if (isUncounted(info)) {
      dispatch(exchange, info, resource, user, Deadline.NONE, trail, () -> {});
      return;
    }
    Duration time = timeAllowed(exchange, info);
    Deadline deadline = info.verb().equals(WATCH) ? Deadline.NONE : Deadline.in(time);
    try (FlowControl.ExecutionSeat seat = flowControl.enter(exchange, info, user, time)) {
      Watchdog.Guard guard = info.isMutating() ? watchdog.guard(exchange, time) : null;
      try {
        dispatch(exchange, info, resource, user, deadline, trail, seat::close);
      } finally {
        if (guard != null) {
          guard.cancel();
        }
      }
    }
  }

  private void dispatch(
      HttpServerExchange exchange,
      RequestInfo info,
      @Nullable Resource resource,
      UserInfo user,
      Deadline deadline,
      AuditTrail trail,
      Runnable streaming)
      throws IOException, InterruptedException {
    if (resource != null) {
      ResourceRequest call =
          new ResourceRequest(core, exchange, info, resource, user, deadline, trail::annotate);
      call.onStreaming(streaming);
      resources.handle(call);
      return;
    }
    if (info.isResource() && info.verb().equals(WATCH)) {
      streaming.run();
    }
    if (!info.isResource()) {
      for (PathHandler handler : paths) {
        if (handler.handle(exchange, user)) {
          return;
        }
      }
    }
    if (!aggregated.serve(exchange, user)) {
      throw ApiException.noSuchResource();
    }
  }

  /// The resource of the path, or null when there is none. A path that does not fit the resource's
  /// scope is refused before anyone is asked whether it is allowed: rules for a namespace must
  /// never be asked about objects that live outside of it.
  private @Nullable Resource find(RequestInfo info) {
    Resource resource = core.registry().find(info.group(), info.version(), info.resource());
    // It may have been defined a moment ago, on another server, or its definition changed on this
    // one.
    if (resource == null
        ? info.group().indexOf('.') >= 0
        : resource.isCustom() && custom.isBehind()) {
      custom.settle();
      resource = core.registry().find(info.group(), info.version(), info.resource());
    }
    if (resource == null) {
      return null;
    }
    boolean namespaced = resource.descriptor().namespaced();
    if (info.namespaced() && !namespaced) {
      throw ApiException.noSuchResource();
    }
    if (!info.namespaced() && namespaced) {
      if (!info.name().isEmpty()) {
        throw ApiException.noSuchResource();
      }
      if (info.isMutating()) {
        throw resource.isCustom() ? ApiException.noSuchResource() : ApiException.methodNotAllowed();
      }
    }
    return resource;
  }

  /// What leads to nodes and pods, and health checks take no seat and have no deadline. A watch
  /// holds its seat until its stream begins.
  private static boolean isUncounted(RequestInfo info) {
    if (info.isResource()) {
      return LONG.contains(info.subresource());
    }
    return info.path().startsWith("/livez")
        || info.path().startsWith("/readyz")
        || info.path().startsWith("/healthz");
  }

  private static Duration timeAllowed(HttpServerExchange exchange, RequestInfo info) {
    Duration most = info.isMutating() ? WRITE_TIME : READ_TIME;
    Duration asked = TimeoutParameter.timeout(exchange.query());
    return asked == null || asked.isZero() || asked.compareTo(most) > 0 ? most : asked;
  }
}
