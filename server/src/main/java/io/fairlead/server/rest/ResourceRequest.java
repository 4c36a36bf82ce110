package io.fairlead.server.rest;

import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.auth.Authenticator;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.Forbidden;
import io.fairlead.server.auth.TokenIssuer;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.limits.Deadline;
import io.fairlead.server.pki.CertificateSigner;
import io.fairlead.server.request.RequestInfo;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.store.Write;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// One request for a resource, from the moment it is allowed until it is answered. Belongs to the
/// request's thread.
public final class ResourceRequest implements RequestContext {
  /// The most text a client gets in warnings, so that headers stay small.
  private static final int WARNINGS_MAX = 4096;

  private final RestDependencies core;
  private final @Nullable HttpServerExchange exchange;
  private final RequestInfo info;
  private final Resource resource;
  private final String namespace;
  private final String name;
  private final UserInfo user;
  private final Deadline deadline;
  private final BiConsumer<String, String> notes;
  private final Set<String> warnings = new LinkedHashSet<>();
  private Runnable streaming = () -> {};
  private boolean dryRun;
  private int warned;
  private Write.@Nullable Value stored;
  private long storedAt;

  /// @param notes takes what admission says for the audit log, by its key
  public ResourceRequest(
      RestDependencies core,
      HttpServerExchange exchange,
      RequestInfo info,
      Resource resource,
      UserInfo user,
      Deadline deadline,
      BiConsumer<String, String> notes) {
    this(
        core,
        exchange,
        info,
        resource,
        info.namespaced() ? info.namespace() : "",
        info.name(),
        user,
        deadline,
        notes);
  }

  private ResourceRequest(
      RestDependencies core,
      @Nullable HttpServerExchange exchange,
      RequestInfo info,
      Resource resource,
      String namespace,
      String name,
      UserInfo user,
      Deadline deadline,
      BiConsumer<String, String> notes) {
    this.core = core;
    this.exchange = exchange;
    this.info = info;
    this.resource = resource;
    this.namespace = namespace;
    this.name = name;
    this.user = user;
    this.deadline = deadline;
    this.notes = notes;
  }

  /// A call that the server makes by itself.
  static ResourceRequest internal(
      RestDependencies core, RequestInfo info, Resource resource, String namespace, UserInfo user) {
    return new ResourceRequest(
        core, null, info, resource, namespace, "", user, Deadline.NONE, (_, _) -> {});
  }

  /// The same request turned to another object, for actions and collections.
  ResourceRequest about(Resource other, String otherNamespace, String otherName) {
    ResourceRequest call =
        new ResourceRequest(
            core, exchange, info, other, otherNamespace, otherName, user, deadline, notes);
    call.dryRun = dryRun;
    return call;
  }

  /// Makes sure that the user may create this object, for requests that turn out to be a creation:
  /// their own verb was `update` or `patch`. What the server does by itself is not asked about.
  ///
  /// @throws io.fairlead.api.status.ApiException 403
  void requireCreate() {
    if (exchange == null) {
      return;
    }
    Forbidden.check(
        core.authorizer(),
        new Authorizer.Attributes(
            user,
            "create",
            info.group(),
            info.version(),
            info.resource(),
            info.subresource(),
            namespace,
            name,
            ""));
  }

  /// Whether the server makes this call by itself.
  boolean isInternal() {
    return exchange == null;
  }

  RestDependencies core() {
    return core;
  }

  /// The request behind this call; only what the server does by itself has none.
  HttpServerExchange exchange() {
    if (exchange == null) {
      throw new IllegalStateException("this call was made by the server itself");
    }
    return exchange;
  }

  RequestInfo info() {
    return info;
  }

  Resource resource() {
    return resource;
  }

  ResourceDescriptor descriptor() {
    return resource.descriptor();
  }

  /// The name of the path; empty on collections.
  String name() {
    return name;
  }

  Deadline deadline() {
    return deadline;
  }

  /// What is to be done when the answer turns into a stream that may last: the request no longer
  /// counts as one that is being worked on.
  public void onStreaming(Runnable action) {
    streaming = action;
  }

  /// The answer is a stream from now on.
  void streams() {
    streaming.run();
  }

  void setDryRun(boolean on) {
    dryRun = on;
  }

  /// The bytes that are being stored.
  void setStored(Write.Value bytes) {
    stored = bytes;
  }

  /// The bytes of [#setStored]; null before.
  Write.@Nullable Value stored() {
    return stored;
  }

  /// The bytes of [#setStored] are durable.
  void committed(long revision) {
    storedAt = revision;
  }

  /// What was stored, ready to be sent; null when nothing was, or in a form that is not sent.
  byte @Nullable [] answer() {
    return stored == null || storedAt == 0
        ? null
        : core.caches().of(resource).answer(stored.bytes(), storedAt);
  }

  @Override
  public UserInfo user() {
    return user;
  }

  @Override
  public String namespace() {
    return namespace;
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
  public List<Resource> served() {
    return core.registry().all();
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
  public CertificateSigner signer() {
    return core.signer();
  }

  @Override
  public TokenIssuer tokens() {
    return core.tokens();
  }

  @Override
  public void annotate(String key, String value) {
    notes.accept(key, value);
  }

  @Override
  public void warn(String text) {
    if (warned + text.length() <= WARNINGS_MAX && warnings.add(text)) {
      warned += text.length();
      if (exchange == null) {
        return;
      }
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
