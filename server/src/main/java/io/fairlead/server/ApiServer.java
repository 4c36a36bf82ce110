package io.fairlead.server;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.allocation.PortRange;
import io.fairlead.server.audit.AuditLog;
import io.fairlead.server.bootstrap.Bootstrap;
import io.fairlead.server.bootstrap.OwnService;
import io.fairlead.server.bootstrap.Recurring;
import io.fairlead.server.cache.Caches;
import io.fairlead.server.compaction.Compaction;
import io.fairlead.server.component.MountedPages;
import io.fairlead.server.component.Page;
import io.fairlead.server.health.HealthChecks;
import io.fairlead.server.health.StoreFollowing;
import io.fairlead.server.http.HttpServer;
import io.fairlead.server.limits.Admission;
import io.fairlead.server.limits.Watchdog;
import io.fairlead.server.metrics.ServerMetrics;
import io.fairlead.server.paths.HealthPaths;
import io.fairlead.server.paths.IndexPath;
import io.fairlead.server.paths.MetricsPath;
import io.fairlead.server.paths.PathHandler;
import io.fairlead.server.paths.VersionPath;
import io.fairlead.server.repair.ClaimRepair;
import io.fairlead.server.repair.RepairEvents;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.rest.Core;
import io.fairlead.server.rest.FieldOwnership;
import io.fairlead.server.rest.Registry;
import io.fairlead.server.rest.ResourceHandler;
import io.fairlead.server.stream.NodeDirectory;
import io.fairlead.server.stream.NodeTls;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running API server.
///
/// ```java
/// try (ApiServer server = ApiServer.start(ApiServerConfig.defaults(pki), store)) {
///   System.out.println(server.url());
/// }
/// ```
///
/// The store belongs to the caller and must outlive the server.
public final class ApiServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ApiServer.class);
  private static final Duration REPAIR_EVERY = Duration.ofSeconds(10);

  /// A start under full load may take its time; giving up would only begin it anew.
  private static final Duration START_FRESHNESS = Duration.ofSeconds(60);

  private static final AtomicBoolean PRELOADED = new AtomicBoolean();

  private static final Duration PROBE_EVERY = Duration.ofSeconds(2);

  /// How long history is kept at least: a client can page and resume for that time.
  private static final Duration HISTORY = Duration.ofMinutes(5);

  /// How much longer at most, when the history is this server's own.
  private static final Duration COMPACT_EVERY = Duration.ofMinutes(1);

  private final Caches caches;
  private final ResourceHandler handler;
  private final NodeDirectory nodes;
  private final HttpServer http;
  private final Watchdog watchdog;
  private final @Nullable AuditLog audit;
  private final HealthChecks health;
  private final MountedPages mounted;
  private final List<Recurring> upkeep;
  private final @Nullable OwnService own;
  private final Runnable reload;
  private final String url;

  private ApiServer(
      Caches caches,
      ResourceHandler handler,
      NodeDirectory nodes,
      HttpServer http,
      Watchdog watchdog,
      @Nullable AuditLog audit,
      HealthChecks health,
      MountedPages mounted,
      List<Recurring> upkeep,
      @Nullable OwnService own,
      Runnable reload,
      String url) {
    this.caches = caches;
    this.handler = handler;
    this.nodes = nodes;
    this.http = http;
    this.watchdog = watchdog;
    this.audit = audit;
    this.health = health;
    this.mounted = mounted;
    this.upkeep = upkeep;
    this.own = own;
    this.reload = reload;
    this.url = url;
  }

  /// Begins to load what every start needs, on a thread of its own. Most of a start is the loading
  /// of classes, and whoever starts a server has other things to do first. Once is enough.
  public static void preload() {
    if (PRELOADED.getAndSet(true)) {
      return;
    }
    Thread.ofPlatform()
        .daemon()
        .name("preload")
        .start(
            () -> {
              var _ = Json.mapper();
              var _ = Schemas.kubernetes();
              HttpServer.preload();
            });
  }

  /// Starts a server on that store and returns when it is ready for clients.
  ///
  /// Certificates and keys are made under `config.pki()` where they are missing, and the objects
  /// every cluster has are made where they are missing.
  ///
  /// @throws io.fairlead.server.pki.PkiException when keys or certificates cannot be used
  /// @throws IOException when the address cannot be listened on
  public static ApiServer start(ApiServerConfig config, Store store) throws IOException {
    return start(config, store, ServerSetup.parts(config));
  }

  /// What a server is made of besides its configuration; tests bring their own.
  ///
  /// @param repairEvery how often the objects every cluster has are made anew where they are gone
  /// @param nodeTls the way to nodes' own servers; empty for none
  record Parts(
      List<Resource> resources,
      Function<Caches, Security> security,
      @Nullable SSLContext tls,
      List<PathHandler> paths,
      InstantSource clock,
      RandomGenerator random,
      Duration repairEvery,
      Optional<NodeTls> nodeTls) {
    Parts(
        List<Resource> resources,
        Function<Caches, Security> security,
        @Nullable SSLContext tls,
        List<PathHandler> paths,
        InstantSource clock,
        RandomGenerator random,
        Duration repairEvery) {
      this(resources, security, tls, paths, clock, random, repairEvery, Optional.empty());
    }

    Parts(
        List<Resource> resources,
        Function<Caches, Security> security,
        @Nullable SSLContext tls,
        List<PathHandler> paths,
        InstantSource clock) {
      this(resources, security, tls, paths, clock, QuickRandom.INSTANCE, REPAIR_EVERY);
    }

    /// The same with a way to nodes.
    Parts with(NodeTls way) {
      return new Parts(
          resources, security, tls, paths, clock, random, repairEvery, Optional.of(way));
    }
  }

  static ApiServer start(ApiServerConfig config, Store store, Parts parts) throws IOException {
    Caches caches = Caches.start(store, parts.resources(), config.limits().watcherQueue());
    Watchdog watchdog = new Watchdog();
    AuditLog audit =
        config.auditLog().map(path -> AuditLog.open(path, AuditLog.Options.DEFAULT)).orElse(null);
    HealthChecks health = new HealthChecks();
    AtomicBoolean bootstrapped = new AtomicBoolean();
    health.addReady("poststarthook/bootstrap-objects", bootstrapped::get);
    StoreFollowing following = new StoreFollowing(caches);
    health.addReady("store-watch", following);
    Security security = parts.security().apply(caches);
    Core core =
        new Core(
            store,
            caches,
            new Registry(parts.resources()),
            security.authenticator(),
            security.authorizer(),
            security.tokens(),
            parts.clock(),
            parts.random(),
            config.emulatedMinor(),
            config.limits());
    NodeDirectory nodes = new NodeDirectory(caches.reader(), parts.nodeTls());
    ResourceHandler handler = new ResourceHandler(core, new FieldOwnership(), nodes);
    Admission admission =
        new Admission(config.limits().readsInFlight(), config.limits().writesInFlight());
    ServerMetrics metrics = metrics(store, caches, handler, admission);
    List<PathHandler> paths = new ArrayList<>(parts.paths());
    paths.add(new HealthPaths(health));
    paths.add(new VersionPath(config.emulatedMinor()));
    paths.add(new MetricsPath(metrics));
    paths.add(new IndexPath(parts.resources()));
    MountedPages mounted = new MountedPages();
    paths.add(mounted);
    RequestChain chain =
        new RequestChain(
            core, new Gate(security), handler, paths, admission, watchdog, metrics, audit);
    HttpServer http;
    try {
      http = HttpServer.start(config.bindAddress(), config.securePort(), parts.tls(), chain);
    } catch (IOException | RuntimeException e) {
      caches.close();
      watchdog.close();
      throw e;
    }
    Bootstrap bootstrap = new Bootstrap(core.registry(), handler.internalWriter(), caches.reader());
    OwnService own =
        new OwnService(
            bootstrap, store, config.services().cidrs(), config.advertiseAddress(), http.port());
    Runnable standing =
        () -> {
          bootstrap.namespaces();
          caches.awaitRevision(store.revision(), START_FRESHNESS);
          own.publish(parts.clock());
        };
    bootstrap.namespaces();
    bootstrap.permissions();
    standing.run();
    caches.awaitRevision(store.revision(), START_FRESHNESS);
    bootstrapped.set(true);
    ClaimRepair claims =
        new ClaimRepair(
            caches,
            store,
            PortRange.parse(config.services().nodePortRange()),
            new RepairEvents(
                handler.internalWriter(),
                core.registry().find("", "events"),
                parts.clock(),
                parts.random()),
            parts.clock());
    List<Recurring> upkeep =
        List.of(
            Recurring.every(parts.repairEvery(), "repair", standing),
            Recurring.every(parts.repairEvery().multipliedBy(6), "claims", claims::round),
            Recurring.every(PROBE_EVERY, "store-probe", following::probe),
            compaction(store));
    String scheme = parts.tls() == null ? "http" : "https";
    return new ApiServer(
        caches,
        handler,
        nodes,
        http,
        watchdog,
        audit,
        health,
        mounted,
        upkeep,
        store.isShared() ? own : null,
        security.reload(),
        scheme + "://" + config.bindAddress() + ":" + http.port());
  }

  /// A shared store is compacted by all its servers, and as rarely as others do.
  private static Recurring compaction(Store store) {
    Duration pause = store.isShared() ? HISTORY : COMPACT_EVERY;
    int rounds = (int) HISTORY.dividedBy(pause);
    return Recurring.every(pause, "compaction", new Compaction(store, rounds)::round);
  }

  private static ServerMetrics metrics(
      Store store, Caches caches, ResourceHandler handler, Admission admission) {
    ServerMetrics metrics = new ServerMetrics();
    metrics.inFlight(() -> admission.inFlight(false), () -> admission.inFlight(true));
    metrics.gauge("apiserver_longrunning_requests", "Watches being served.", handler::openWatches);
    metrics.gauge(
        "fairlead_cache_revision", "The revision up to which the cache follows.", caches::revision);
    metrics.gauge(
        "fairlead_store_compacted_revision",
        "The revision up to which history is gone.",
        store::compactedRevision);
    return metrics;
  }

  public int port() {
    return http.port();
  }

  /// Where clients on this machine find it, `https://127.0.0.1:6443`.
  public String url() {
    return url;
  }

  /// How many watches are being served.
  int openWatches() {
    return handler.openWatches();
  }

  /// Reads the files of static tokens, the serving certificate with its key and the client CA
  /// again. When one cannot be used, what was read before stays good; no connection is closed.
  ///
  /// @throws RuntimeException saying what is wrong with which file
  public void reload() {
    reload.run();
  }

  /// Whether `/readyz` is green.
  public boolean isReady() {
    return health.isReady();
  }

  /// The checks behind `/readyz`; other parts add theirs.
  public HealthChecks health() {
    return health;
  }

  /// Serves a page of another component of this process, to those who may `get` that path.
  public void mount(String path, Page page) {
    mounted.mount(path, page);
  }

  /// Serves the same on one more socket that listens already; it is closed with the server.
  public void listen(ServerSocketChannel socket) throws IOException {
    http.listen(socket);
  }

  /// The agent of that node is in this process, and its server listens there.
  public void serveNode(String node, String address, int port) {
    nodes.serve(node, address, port);
  }

  /// Tells the others, ends all watches at once, lets running requests finish for a moment, and
  /// stops.
  @Override
  public void close() {
    upkeep.forEach(Recurring::close);
    if (own != null) {
      try {
        own.withdraw();
      } catch (StoreException | ApiException e) {
        log.atInfo().setCause(e).log("could not take this server out of the endpoints");
      }
    }
    caches.close();
    http.close();
    watchdog.close();
    if (audit != null) {
      audit.close();
    }
  }
}
