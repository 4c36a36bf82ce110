package io.fairlead.server;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.status.ApiException;
import io.fairlead.http.server.HttpServer;
import io.fairlead.http.server.RequestHandler;
import io.fairlead.server.admission.policy.MutatingPolicyAdmission;
import io.fairlead.server.admission.policy.PolicyAdmission;
import io.fairlead.server.admission.webhook.WebhookAdmission;
import io.fairlead.server.aggregation.AggregatedApis;
import io.fairlead.server.aggregation.ApiServiceAvailability;
import io.fairlead.server.aggregation.LocalApiServices;
import io.fairlead.server.allocation.NodePortRange;
import io.fairlead.server.audit.AuditLog;
import io.fairlead.server.cache.Caches;
import io.fairlead.server.component.BrowserUsers;
import io.fairlead.server.component.ChangesPage;
import io.fairlead.server.component.ComponentPage;
import io.fairlead.server.component.MountedPages;
import io.fairlead.server.component.UserPage;
import io.fairlead.server.controlplane.Bootstrap;
import io.fairlead.server.controlplane.ClaimRepair;
import io.fairlead.server.controlplane.Compaction;
import io.fairlead.server.controlplane.FlowControlBootstrap;
import io.fairlead.server.controlplane.KubernetesServiceController;
import io.fairlead.server.controlplane.RepairEvents;
import io.fairlead.server.controlplane.StorageMigration;
import io.fairlead.server.crd.CustomResources;
import io.fairlead.server.crd.WebhookConversion;
import io.fairlead.server.flowcontrol.FlowControl;
import io.fairlead.server.limits.Watchdog;
import io.fairlead.server.paths.ApiServerMetrics;
import io.fairlead.server.paths.DiscoveryPaths;
import io.fairlead.server.paths.FlowControlPath;
import io.fairlead.server.paths.HealthCheckPaths;
import io.fairlead.server.paths.HealthChecks;
import io.fairlead.server.paths.IndexPath;
import io.fairlead.server.paths.MetricsPath;
import io.fairlead.server.paths.PathHandler;
import io.fairlead.server.paths.VersionPath;
import io.fairlead.server.paths.WatchCacheSyncCheck;
import io.fairlead.server.pki.CertificateSigner;
import io.fairlead.server.pki.FrontProxy;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resources.admission.ApiServiceResource;
import io.fairlead.server.rest.ManagedFieldsTracker;
import io.fairlead.server.rest.ResourceHandler;
import io.fairlead.server.rest.ResourceRegistry;
import io.fairlead.server.rest.RestDependencies;
import io.fairlead.server.rest.SpecRecorder;
import io.fairlead.server.stream.AggregatedApiProxy;
import io.fairlead.server.stream.NodeDirectory;
import io.fairlead.server.stream.NodeInsightRelay;
import io.fairlead.server.stream.NodeTls;
import io.fairlead.server.stream.ServiceAddressResolver;
import io.fairlead.server.webhook.WebhookCaller;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
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

  /// A start under full load may take its time; giving up would only start over.
  private static final Duration START_FRESHNESS = Duration.ofSeconds(60);

  private static final AtomicBoolean PRELOADED = new AtomicBoolean();

  /// How often aggregated API servers that are not available are asked.
  private static final Duration ASK_EVERY = Duration.ofSeconds(2);

  /// How often priority levels are looked at; requests look for themselves.
  private static final Duration FLOW_CONTROL_EVERY = Duration.ofSeconds(1);

  private static final Duration PROBE_EVERY = Duration.ofSeconds(2);

  /// How long history is kept at least: a client can page and resume for that time.
  private static final Duration HISTORY = Duration.ofMinutes(5);

  /// How much longer at most, when the history is this server's own.
  private static final Duration COMPACT_EVERY = Duration.ofMinutes(1);

  private final ResourceHandler handler;
  private final NodeDirectory nodes;
  private final HttpServer http;
  private final HealthChecks health;
  private final MountedPages mounted;
  private final Optional<BrowserUsers> browserUsers;
  private final ChangesPage changes;
  private final CloseStack opened;
  private final Runnable reload;
  private final String url;

  private ApiServer(
      ResourceHandler handler,
      NodeDirectory nodes,
      HttpServer http,
      HealthChecks health,
      MountedPages mounted,
      Optional<BrowserUsers> browserUsers,
      ChangesPage changes,
      CloseStack opened,
      Runnable reload,
      String url) {
    this.handler = handler;
    this.nodes = nodes;
    this.http = http;
    this.health = health;
    this.mounted = mounted;
    this.browserUsers = browserUsers;
    this.changes = changes;
    this.opened = opened;
    this.reload = reload;
    this.url = url;
  }

  /// Begins to load what every start needs, on a thread of its own. Most of a start is the loading
  /// of classes, and a program that starts a server has other things to do first. Once is enough.
  public static void preload() {
    if (PRELOADED.getAndSet(true)) {
      return;
    }
    Tasks.startPlatform(
        "preload-apiserver",
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
    return start(config, store, ServerSetup.context(config));
  }

  /// What a server is made of besides its configuration; tests bring their own.
  ///
  /// @param repairEvery how often the objects every cluster has are made again where they are gone
  /// @param nodeTls the way to nodes' own servers; empty for none
  /// @param clientAuthority the CA that clients' certificates are checked with, as PEM
  /// @param signer signs requests for certificates
  /// @param frontProxy who this server is to aggregated API servers; empty for none
  record ServerContext(
      List<Resource> resources,
      Function<Caches, ApiServerAuth> security,
      @Nullable SSLContext tls,
      List<PathHandler> paths,
      InstantSource clock,
      RandomGenerator random,
      Duration repairEvery,
      Optional<NodeTls> nodeTls,
      Optional<String> clientAuthority,
      CertificateSigner signer,
      Optional<FrontProxy> frontProxy) {
    ServerContext(
        List<Resource> resources,
        Function<Caches, ApiServerAuth> security,
        @Nullable SSLContext tls,
        List<PathHandler> paths,
        InstantSource clock,
        RandomGenerator random,
        Duration repairEvery) {
      this(
          resources,
          security,
          tls,
          paths,
          clock,
          random,
          repairEvery,
          Optional.empty(),
          Optional.empty(),
          CertificateSigner.NONE,
          Optional.empty());
    }

    ServerContext(
        List<Resource> resources,
        Function<Caches, ApiServerAuth> security,
        @Nullable SSLContext tls,
        List<PathHandler> paths,
        InstantSource clock) {
      this(resources, security, tls, paths, clock, QuickRandom.INSTANCE, REPAIR_EVERY);
    }

    /// The same with a way to nodes, a CA of clients and one to sign with.
    ServerContext with(
        NodeTls way, String authority, CertificateSigner ca, Optional<FrontProxy> proxy) {
      return new ServerContext(
          resources,
          security,
          tls,
          paths,
          clock,
          random,
          repairEvery,
          Optional.of(way),
          Optional.of(authority),
          ca,
          proxy);
    }
  }

  static ApiServer start(ApiServerConfig config, Store store, ServerContext context)
      throws IOException {
    CloseStack opened = new CloseStack();
    try {
      return start(config, store, context, opened);
    } catch (IOException | RuntimeException | Error e) {
      opened.closeAfter(e);
      throw e;
    }
  }

  private static ApiServer start(
      ApiServerConfig config, Store store, ServerContext context, CloseStack opened)
      throws IOException {
    StorageMigration.run(store);
    Caches caches =
        opened.add(Caches.start(store, context.resources(), config.limits().watcherQueue()));
    Watchdog watchdog = opened.add(new Watchdog());
    AuditLog audit =
        config
            .auditLog()
            .map(path -> opened.add(AuditLog.open(path, AuditLog.Options.DEFAULT)))
            .orElse(null);
    HealthChecks health = new HealthChecks();
    AtomicBoolean bootstrapped = new AtomicBoolean();
    health.addReady("poststarthook/bootstrap-objects", bootstrapped::get);
    WatchCacheSyncCheck following = new WatchCacheSyncCheck(caches);
    health.addReady("store-watch", following);
    ApiServerAuth security = context.security().apply(caches);
    NodeDirectory nodes = new NodeDirectory(caches.reader(), context.nodeTls());
    ServiceAddressResolver addresses =
        new ServiceAddressResolver(nodes, caches.reader(), context.random());
    WebhookCaller webhooks = opened.add(new WebhookCaller(addresses));
    ResourceRegistry registry = new ResourceRegistry(context.resources());
    RestDependencies core =
        new RestDependencies(
            store,
            caches,
            registry,
            security.authenticator(),
            security.authorizer(),
            security.tokens(),
            context.signer(),
            context.clock(),
            context.random(),
            config.emulatedMinor(),
            config.limits(),
            config.warnsOfUnserved(),
            new SpecRecorder(context.clock()),
            new WebhookAdmission(caches, webhooks, registry::equivalents),
            new MutatingPolicyAdmission(caches, registry::equivalents, registry::ofKind),
            new PolicyAdmission(caches, registry::equivalents, registry::ofKind));
    ScheduledExecutorService watchTimer = opened.add(Tasks.sequential("watch-timer"));
    ResourceHandler handler =
        new ResourceHandler(core, new ManagedFieldsTracker(), nodes, watchTimer);
    FlowControl flowControl =
        new FlowControl(CachedFlowControl.of(caches, registry), config.limits().requestsInFlight());
    ApiServerMetrics metrics = metrics(store, caches, handler, flowControl);
    List<PathHandler> paths = new ArrayList<>(context.paths());
    paths.add(new HealthCheckPaths(health));
    paths.add(new VersionPath(config.emulatedMinor()));
    paths.add(new MetricsPath(metrics));
    AggregatedApis aggregated =
        new AggregatedApis(caches, new AggregatedApiProxy(addresses, context.frontProxy()));
    paths.add(new FlowControlPath(flowControl.dump()));
    paths.add(new IndexPath(context.resources(), aggregated::paths));
    MountedPages mounted = new MountedPages();
    paths.add(mounted);
    ChangesPage changes = new ChangesPage();
    changes.add(() -> Optional.of(core.specs().ring()));
    mounted.mount(ChangesPage.PATH, changes.page());
    CustomResources custom =
        opened.add(
            new CustomResources(
                caches,
                core.registry(),
                handler.internalWriter(),
                context.clock(),
                all -> paths.forEach(path -> path.served(all)),
                WebhookConversion.by(webhooks, context.random())));
    RequestChain chain =
        new RequestChain(
            core,
            new AccessControl(security),
            handler,
            custom,
            new NodeInsightRelay(nodes),
            aggregated,
            paths,
            mounted,
            flowControl,
            watchdog,
            metrics,
            audit);
    HttpServer http =
        opened.add(
            HttpServer.start(config.bindAddress(), config.securePort(), context.tls(), chain));
    nodes.addOwnPort(http.port());
    // Watches end before the HTTP server, which would wait for them.
    opened.add(caches);
    Bootstrap bootstrap = new Bootstrap(core.registry(), handler.internalWriter(), caches.reader());
    KubernetesServiceController own =
        new KubernetesServiceController(
            bootstrap, store, config.services().cidrs(), config.advertiseAddress(), http.port());
    if (store.isShared()) {
      opened.add(() -> withdraw(own));
    }
    Runnable repair =
        () -> {
          bootstrap.namespaces();
          caches.awaitRevision(store.revision(), START_FRESHNESS);
          own.publish(context.clock());
        };
    custom.start();
    bootstrap.namespaces();
    bootstrap.permissions();
    bootstrap.priorityClasses();
    FlowControlBootstrap flows =
        new FlowControlBootstrap(bootstrap, caches.reader(), context.clock());
    flows.defaults();
    bootstrap.all(
        ApiServiceResource.GROUP, ApiServiceResource.PLURAL, LocalApiServices.of(registry.all()));
    context
        .clientAuthority()
        .ifPresent(pem -> bootstrap.clientAuthority(published(pem, context.frontProxy())));
    repair.run();
    caches.awaitRevision(store.revision(), START_FRESHNESS);
    // Before clients come: an idle server writes nothing.
    var _ = flowControl.refresh();
    flows.conditions(flowControl.version());
    bootstrapped.set(true);
    ClaimRepair claims =
        new ClaimRepair(
            caches,
            store,
            NodePortRange.parse(config.services().nodePortRange()),
            new RepairEvents(
                handler.internalWriter(),
                core.registry().find("", "events"),
                context.clock(),
                context.random()),
            context.clock());
    Duration pause = context.repairEvery();
    opened.add(every(pause, "apiserver-repair", repair));
    opened.add(every(pause.multipliedBy(6), "service-claim-repair", claims::round));
    opened.add(every(pause.multipliedBy(6), "flow-control-defaults", flows::defaults));
    opened.add(
        every(
            FLOW_CONTROL_EVERY,
            "flow-control",
            () -> {
              var _ = flowControl.refresh();
              flows.conditions(flowControl.version());
            }));
    opened.add(every(PROBE_EVERY, "store-probe", following::probe));
    Resource apiServices = registry.find(ApiServiceResource.GROUP, ApiServiceResource.PLURAL);
    if (apiServices != null) {
      ApiServiceAvailability availability =
          new ApiServiceAvailability(
              aggregated, caches.reader(), handler.internalWriter(), apiServices, context.clock());
      for (PathHandler path : paths) {
        if (path instanceof DiscoveryPaths discovery) {
          discovery.join(availability::groups);
        }
      }
      opened.add(every(ASK_EVERY, "apiservice-availability", availability::round));
    }
    opened.add(compaction(store));
    String scheme = context.tls() == null ? "http" : "https";
    return new ApiServer(
        handler,
        nodes,
        http,
        health,
        mounted,
        context
            .nodeTls()
            .map(
                way ->
                    new BrowserUsers(security.authenticator(), security.authorizer(), way.own())),
        changes,
        opened,
        security.reload(),
        scheme + "://" + config.bindAddress() + ":" + http.port());
  }

  private static Map<String, String> published(String clientCa, Optional<FrontProxy> proxy) {
    Map<String, String> data = new LinkedHashMap<>();
    data.put("client-ca-file", clientCa);
    proxy.ifPresent(known -> data.putAll(known.published()));
    return data;
  }

  /// A shared store is compacted by all its servers, and as rarely as others do.
  private static SupervisedLoop compaction(Store store) {
    Duration pause = store.isShared() ? HISTORY : COMPACT_EVERY;
    int rounds = (int) HISTORY.dividedBy(pause);
    return every(pause, "store-compaction", new Compaction(store, rounds)::round);
  }

  private static SupervisedLoop every(Duration pause, String kind, Runnable round) {
    return SupervisedLoop.of(kind).afterEach(pause).start(round::run);
  }

  private static void withdraw(KubernetesServiceController own) {
    try {
      own.withdraw();
    } catch (StoreException | ApiException e) {
      log.atInfo().setCause(e).log("could not take this server out of the endpoints");
    }
  }

  private static ApiServerMetrics metrics(
      Store store, Caches caches, ResourceHandler handler, FlowControl flowControl) {
    ApiServerMetrics metrics = new ApiServerMetrics();
    metrics.inFlight(() -> flowControl.inFlight(false), () -> flowControl.inFlight(true));
    flowControl.metrics().register(metrics.registry());
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

  /// The checks behind `/readyz`; other components add theirs.
  public HealthChecks health() {
    return health;
  }

  /// Serves what another component of this process recorded beside what the server did.
  public void record(Supplier<Optional<ChangeRing>> recorder) {
    changes.add(recorder);
  }

  /// What the server itself recorded.
  public Optional<ChangeRing> recorded() {
    return changes.first();
  }

  /// Serves a page of another component of this process, to those who may `get` that path.
  public void mount(String path, ComponentPage page) {
    mounted.mount(path, page);
  }

  /// Serves a path of another component of this process that depends on who asks, to those who may
  /// use that path.
  public void mount(String path, UserPage page) {
    mounted.mount(path, page);
  }

  /// Serves pages for browsers below that path, which are open to all and have sessions of their
  /// own. Without TLS there are none.
  ///
  /// @param pages made with how to find out who the users are
  public void mountForBrowsers(String path, Function<BrowserUsers, RequestHandler> pages) {
    browserUsers.ifPresent(users -> mounted.mountForBrowsers(path, pages.apply(users)));
  }

  /// Serves the same on one more socket that listens already; it is closed with the server.
  public void listen(ServerSocketChannel socket) throws IOException {
    if (socket.getLocalAddress() instanceof InetSocketAddress address) {
      nodes.addOwnPort(address.getPort());
    }
    http.listen(socket);
  }

  /// The agent of that node is in this process, and its server listens there.
  public void serveNode(String node, String address, int port) {
    nodes.serve(node, address, port);
  }

  /// Takes this server out of the endpoints of `kubernetes`, ends all watches at once, lets running
  /// requests finish for a moment, and stops.
  @Override
  public void close() {
    opened.close();
  }
}
