package io.fairlead.client.transport;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// The token of a service account, for a component that acts in its name. It is asked for when it
/// is first needed, and again when a fifth of its life is left; an account that does not exist is
/// made.
///
/// Safe for many threads; two that need one at the same time may both ask.
public final class ServiceAccountToken implements Supplier<String> {
  private static final Duration LIFE = Duration.ofHours(1);
  private static final Duration USED = LIFE.multipliedBy(4).dividedBy(5);

  private final Client issuer;
  private final ObjectKey account;
  private final Ticker ticker;
  private volatile Issued held = new Issued("", 0);

  private record Issued(String token, long since) {}

  /// @param issuer who may ask for the tokens of others
  public ServiceAccountToken(Client issuer, ObjectKey account, Ticker ticker) {
    this.issuer = issuer;
    this.account = account;
    this.ticker = ticker;
  }

  @Override
  public String get() {
    Issued now = held;
    if (now.token.isEmpty() || ticker.nanos() - now.since > USED.toNanos()) {
      long since = ticker.nanos();
      now = new Issued(ask(), since);
      held = now;
    }
    return now.token;
  }

  /// The server does not believe that token any more.
  void refused(String which) {
    if (held.token.equals(which)) {
      held = new Issued("", 0);
    }
  }

  private String ask() {
    try {
      return request();
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
    }
    make();
    return request();
  }

  private String request() {
    ObjectNode body =
        Json.object().put("kind", "TokenRequest").put("apiVersion", "authentication.k8s.io/v1");
    body.putObject("spec").put("expirationSeconds", LIFE.toSeconds());
    String path = ResourceType.SERVICE_ACCOUNTS.path(account) + "/token";
    ObjectNode answer = issuer.raw(ApiRequest.with("POST", path, Map.of(), body)).object();
    return Json.textOr(answer, "", "status", "token");
  }

  private void make() {
    ObjectNode object = Json.object().put("kind", "ServiceAccount").put("apiVersion", "v1");
    object.putObject("metadata").put("name", account.name()).put("namespace", account.namespace());
    try {
      issuer.create(ResourceType.SERVICE_ACCOUNTS, account.namespace(), object);
    } catch (ApiException e) {
      if (!ApiErrors.isAlreadyExists(e)) {
        throw e;
      }
    }
  }
}
