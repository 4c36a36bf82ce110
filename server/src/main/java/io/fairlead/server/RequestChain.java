package io.fairlead.server;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.server.audit.AuditLog;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.http.Exchange;
import io.fairlead.server.http.RequestHandler;
import io.fairlead.server.limits.Admission;
import io.fairlead.server.limits.Bodies;
import io.fairlead.server.limits.Deadline;
import io.fairlead.server.limits.Watchdog;
import io.fairlead.server.metrics.ServerMetrics;
import io.fairlead.server.paths.PathHandler;
import io.fairlead.server.render.Answers;
import io.fairlead.server.request.Durations;
import io.fairlead.server.request.RequestInfo;
import io.fairlead.server.request.RequestPath;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.rest.Call;
import io.fairlead.server.rest.Core;
import io.fairlead.server.rest.Registry;
import io.fairlead.server.rest.ResourceHandler;
import io.fairlead.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The way of every request: who is it, what do they want, may they, is there room, do it.
final class RequestChain implements RequestHandler {
  private static final Logger log = LoggerFactory.getLogger(RequestChain.class);
  private static final int AUDIT_ID_MAX = 64;
  private static final Duration DISCARD_TIME = Duration.ofSeconds(5);
  private static final Duration READ_TIME = Duration.ofSeconds(60);
  private static final Duration WRITE_TIME = Duration.ofSeconds(34);
  private static final Set<String> LONG = Set.of("log", "exec", "attach", "portforward", "proxy");

  private final Core core;
  private final Gate gate;
  private final ResourceHandler resources;
  private final List<PathHandler> paths;
  private final Admission admission;
  private final Watchdog watchdog;
  private final ServerMetrics metrics;
  private final @Nullable AuditLog auditLog;

  RequestChain(
      Core core,
      Gate gate,
      ResourceHandler resources,
      List<PathHandler> paths,
      Admission admission,
      Watchdog watchdog,
      ServerMetrics metrics,
      @Nullable AuditLog auditLog) {
    this.core = core;
    this.gate = gate;
    this.metrics = metrics;
    this.auditLog = auditLog;
    this.resources = resources;
    this.paths = List.copyOf(paths);
    this.admission = admission;
    this.watchdog = watchdog;
  }

  @Override
  public void handle(Exchange exchange) throws Exception {
    long began = System.nanoTime();
    String id = auditId(exchange);
    AuditTrail trail = new AuditTrail(auditLog, core.clock(), id);
    exchange.setHeader("Audit-Id", id);
    exchange.setHeader("Cache-Control", "no-cache, private");
    RequestInfo info = RequestInfo.ofPath(exchange.method(), exchange.path());
    try {
      info = RequestPath.parse(exchange.method(), exchange.path(), exchange.query());
      serve(exchange, info, trail);
    } catch (ApiException e) {
      trail.refused(e.status());
      refuse(exchange, e.status(), e);
    } catch (StoreException e) {
      log.atError().addKeyValue("uri", exchange.uri()).setCause(e).log("the store failed");
      refuse(
          exchange,
          ApiException.internal("the store could not do it: " + e.getMessage()).status(),
          e);
    } catch (RuntimeException e) {
      log.atError().addKeyValue("uri", exchange.uri()).setCause(e).log("request failed");
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

  private boolean isServed(RequestInfo info) {
    if (!info.isResource()) {
      return false;
    }
    Resource resource = core.registry().find(info.group(), info.version(), info.resource());
    return resource != null
        && (info.subresource().isEmpty()
            || Registry.subresource(resource, info.subresource()) != null);
  }

  /// Answers with a Status, or cuts the connection when an answer has begun.
  private void refuse(Exchange exchange, Status status, RuntimeException cause) throws IOException {
    if (exchange.isCommitted()) {
      throw cause;
    }
    exchange.reset();
    Watchdog.Guard guard = watchdog.guard(exchange, DISCARD_TIME);
    try {
      Bodies.discard(exchange);
    } finally {
      guard.cancel();
    }
    Answers.status(exchange, status);
  }

  /// The client's own id for the request, if it is a sensible one, else a new one.
  private static String auditId(Exchange exchange) {
    String given = exchange.header("Audit-Id");
    return given == null || given.isEmpty() || given.length() > AUDIT_ID_MAX
        ? QuickRandom.INSTANCE.uuid().toString()
        : given;
  }

  private void serve(Exchange exchange, RequestInfo info, AuditTrail trail)
      throws IOException, InterruptedException {
    UserInfo sender = gate.authenticate(exchange);
    trail.authenticated(sender);
    UserInfo user = gate.impersonate(exchange, sender);
    trail.actsAs(user);
    Resource resource = info.isResource() ? find(info) : null;
    trail.decided(gate.authorize(user, info, exchange));
    if (isUncounted(info)) {
      dispatch(exchange, info, resource, user, Deadline.NONE);
      return;
    }
    Duration time = timeAllowed(exchange, info);
    try (Admission.Place _ = admission.enter(info.isMutating())) {
      Watchdog.Guard guard = info.isMutating() ? watchdog.guard(exchange, time) : null;
      try {
        dispatch(exchange, info, resource, user, Deadline.in(time));
      } finally {
        if (guard != null) {
          guard.cancel();
        }
      }
    }
  }

  private void dispatch(
      Exchange exchange,
      RequestInfo info,
      @Nullable Resource resource,
      UserInfo user,
      Deadline deadline)
      throws IOException, InterruptedException {
    if (resource != null) {
      resources.handle(new Call(core, exchange, info, resource, user, deadline));
      return;
    }
    if (!info.isResource()) {
      for (PathHandler handler : paths) {
        if (handler.handle(exchange)) {
          return;
        }
      }
    }
    throw ApiException.noSuchResource();
  }

  /// The resource of the path, or null when there is none. A path that does not fit the resource's
  /// scope is refused before anyone is asked whether it is allowed: rules for a namespace must
  /// never be asked about objects that live outside of it.
  private @Nullable Resource find(RequestInfo info) {
    Resource resource = core.registry().find(info.group(), info.version(), info.resource());
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
        throw ApiException.methodNotAllowed();
      }
    }
    return resource;
  }

  /// Watches, what leads to nodes and pods, and health checks take no place and have no deadline.
  private static boolean isUncounted(RequestInfo info) {
    if (info.isResource()) {
      return info.verb().equals("watch") || LONG.contains(info.subresource());
    }
    return info.path().startsWith("/livez")
        || info.path().startsWith("/readyz")
        || info.path().startsWith("/healthz");
  }

  private static Duration timeAllowed(Exchange exchange, RequestInfo info) {
    Duration most = info.isMutating() ? WRITE_TIME : READ_TIME;
    Duration asked = Durations.timeout(exchange.query());
    return asked == null || asked.isZero() || asked.compareTo(most) > 0 ? most : asked;
  }
}
