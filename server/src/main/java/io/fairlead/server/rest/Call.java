package io.fairlead.server.rest;

import io.fairlead.server.auth.Authenticator;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.TokenIssuer;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.http.Exchange;
import io.fairlead.server.limits.Deadline;
import io.fairlead.server.request.RequestInfo;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resource.Descriptor;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Resource;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/// One request for a resource, from the moment it is allowed until it is answered. Belongs to the
/// request's thread.
public final class Call implements RequestContext {
  /// The most text a client gets in warnings, so that headers stay small.
  private static final int WARNINGS_MAX = 4096;

  private final Core core;
  private final Exchange exchange;
  private final RequestInfo info;
  private final Resource resource;
  private final UserInfo user;
  private final Deadline deadline;
  private final Set<String> warnings = new LinkedHashSet<>();
  private boolean dryRun;
  private int warned;

  public Call(
      Core core,
      Exchange exchange,
      RequestInfo info,
      Resource resource,
      UserInfo user,
      Deadline deadline) {
    this.core = core;
    this.exchange = exchange;
    this.info = info;
    this.resource = resource;
    this.user = user;
    this.deadline = deadline;
  }

  Core core() {
    return core;
  }

  Exchange exchange() {
    return exchange;
  }

  RequestInfo info() {
    return info;
  }

  Resource resource() {
    return resource;
  }

  Descriptor descriptor() {
    return resource.descriptor();
  }

  /// The name of the path; empty on collections.
  String name() {
    return info.name();
  }

  Deadline deadline() {
    return deadline;
  }

  void setDryRun(boolean on) {
    dryRun = on;
  }

  @Override
  public UserInfo user() {
    return user;
  }

  @Override
  public String namespace() {
    return info.namespaced() ? info.namespace() : "";
  }

  @Override
  public String verb() {
    return info.verb();
  }

  @Override
  public boolean dryRun() {
    return dryRun;
  }

  @Override
  public int emulatedMinor() {
    return core.emulatedMinor();
  }

  @Override
  public InstantSource clock() {
    return core.clock();
  }

  @Override
  public RandomGenerator random() {
    return core.random();
  }

  @Override
  public ClusterReader reader() {
    return core.caches().reader();
  }

  @Override
  public Authenticator authenticator() {
    return core.authenticator();
  }

  @Override
  public Authorizer authorizer() {
    return core.authorizer();
  }

  @Override
  public TokenIssuer tokens() {
    return core.tokens();
  }

  @Override
  public void warn(String text) {
    if (warned + text.length() <= WARNINGS_MAX && warnings.add(text)) {
      warned += text.length();
      exchange.addHeader("Warning", "299 - \"" + quoted(text) + "\"");
    }
  }

  /// Quotes and backslashes escaped, line ends and other control characters made blanks.
  private static String quoted(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\');
      }
      out.append(Character.isISOControl(c) ? ' ' : c);
    }
    return out.toString();
  }
}
