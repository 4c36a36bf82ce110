package io.fairlead.server;

import io.fairlead.api.status.Status;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.audit.AuditEvent;
import io.fairlead.server.audit.AuditLog;
import io.fairlead.server.auth.Authorizer.Attributes;
import io.fairlead.server.auth.Authorizer.Decision;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.request.RequestInfo;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the audit log will say about one request, gathered on its way. Belongs to the request's
/// thread.
final class AuditTrail {
  private static final int MOST_ANNOTATIONS = 64;
  private static final int LONGEST_ANNOTATION = 10 << 10;

  private final @Nullable AuditLog log;
  private final InstantSource clock;
  private final String id;
  private final Instant received;
  private UserInfo user = UserInfo.ANONYMOUS;
  private @Nullable UserInfo impersonated;
  private @Nullable Decision decision;
  private String message = "";
  private String reason = "";
  private final Map<String, String> annotations = new LinkedHashMap<>();

  AuditTrail(@Nullable AuditLog log, InstantSource clock, String id) {
    this.log = log;
    this.clock = clock;
    this.id = id;
    this.received = clock.instant();
  }

  void authenticated(UserInfo who) {
    user = who;
  }

  /// As whom the request goes on; the same user without impersonation.
  void actsAs(UserInfo who) {
    impersonated = who.equals(user) ? null : who;
  }

  void decided(Decision answer) {
    decision = answer;
  }

  /// Notes what admission says for the log; long texts are cut. Any thread of the request.
  synchronized void annotate(String key, String value) {
    if (log != null && annotations.size() < MOST_ANNOTATIONS) {
      annotations.put(
          key,
          value.length() > LONGEST_ANNOTATION ? value.substring(0, LONGEST_ANNOTATION) : value);
    }
  }

  private synchronized Map<String, String> annotations() {
    return Map.copyOf(annotations);
  }

  /// Why the request was refused. The message is kept only of refusals before the body was read:
  /// later ones may quote it.
  void refused(Status status) {
    message = decision == null ? status.message() : "";
    reason = status.reason();
  }

  /// Writes the line, if the request is one for the log.
  void answered(HttpServerExchange exchange, RequestInfo info) {
    if (log == null) {
      return;
    }
    Attributes asked =
        new Attributes(
            user,
            info.verb(),
            info.group(),
            info.version(),
            info.resource(),
            info.subresource(),
            info.namespace(),
            info.name(),
            info.isResource() ? "" : info.path());
    if (!AuditEvent.isWanted(asked)) {
      return;
    }
    String agent = exchange.header("User-Agent");
    log.log(
        new AuditEvent(
            id,
            AuditEvent.Stage.RESPONSE_COMPLETE,
            asked,
            impersonated,
            exchange.uri(),
            List.of(exchange.remoteAddress()),
            agent == null ? "" : agent,
            exchange.status(),
            message,
            reason,
            decision,
            received,
            clock.instant(),
            annotations()));
  }
}
