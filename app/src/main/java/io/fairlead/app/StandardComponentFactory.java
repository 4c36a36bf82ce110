package io.fairlead.app;

import io.fairlead.agent.Agent;
import io.fairlead.agent.AgentOptions;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.loadbalancer.LoadBalancerPools.ReservedRange;
import io.fairlead.api.loadbalancer.PoolFlagReader;
import io.fairlead.api.loadbalancer.PoolRange;
import io.fairlead.api.net.Cidr;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.FairleadVersion;
import io.fairlead.app.controllers.ControllerPages;
import io.fairlead.app.dns.ClusterDns;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.ProcessFacts;
import io.fairlead.app.node.BirdOptions;
import io.fairlead.app.node.LocalBalancerRange;
import io.fairlead.app.node.NodeInsight;
import io.fairlead.app.node.NodePolicy;
import io.fairlead.app.node.NodeProxy;
import io.fairlead.app.node.NodeServerAuth;
import io.fairlead.app.systempod.ProxyStartConfiguration;
import io.fairlead.app.systempod.SystemPodPublisher;
import io.fairlead.app.ui.PageCommands;
import io.fairlead.app.ui.PageHost;
import io.fairlead.app.ui.ServedPage;
import io.fairlead.client.Client;
import io.fairlead.controller.Controllers;
import io.fairlead.controller.loadbalancer.LoadBalancerOptions;
import io.fairlead.controller.loadbalancer.NodeAddressPool;
import io.fairlead.controller.runtime.ControllerList;
import io.fairlead.proxy.announce.AnnounceMeans;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.server.ApiServer;
import io.fairlead.server.pki.Pki;
import io.fairlead.store.Store;
import io.fairlead.store.embedded.EmbeddedStore;
import io.fairlead.store.etcd.EtcdOptions;
import io.fairlead.store.etcd.EtcdStore;
import io.fairlead.work.Pacer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The real parts.
public final class StandardComponentFactory implements ComponentFactory {
  private static final Duration RULES_PATIENCE = Duration.ofSeconds(30);

  /// How long a start waits until no pod shows what it was before.
  private static final Duration STATUS_PATIENCE = Duration.ofSeconds(2);

  /// Short for the user `system:fairlead-policy`.
  private static final String POLICY_IDENTITY = "fairlead-policy";

  /// The node's own server is for the API server of this process only.
  private static final String NEAR = "127.0.0.1";

  private static final List<String> LOOPBACK = List.of("localhost", NEAR);

  private final ControllerList list;
  private final PageCommands commands;

  /// The proxy of this process, which answers for the node. Written before the agent starts.
  private volatile @Nullable NodeProxy nodeProxy;

  /// With all controllers and the scheduler.
  public StandardComponentFactory() {
    this(Controllers.withScheduler());
  }

  /// The same with a web page whose views are the answers of these commands.
  public StandardComponentFactory(PageCommands commands) {
    this(Controllers.withScheduler(), commands);
  }

  /// @param list the controllers to run
  public StandardComponentFactory(ControllerList list) {
    this(list, PageCommands.NONE);
  }

  private StandardComponentFactory(ControllerList list, PageCommands commands) {
    this.list = list;
    this.commands = commands;
  }

  @Override
  public Store store(Options options) {
    return options
        .etcd()
        .<Store>map(
            etcd ->
                EtcdStore.open(
                    new EtcdOptions(
                        etcd.servers().stream().map(URI::create).toList(),
                        etcd.authority().orElse(null),
                        etcd.certificate().orElse(null),
                        etcd.key().orElse(null))))
        .orElseGet(() -> EmbeddedStore.open(options.dataDirectory().resolve("store")));
  }

  @Override
  public Server server(Options options, Store store) throws IOException {
    return new StandardServer(options, ApiServer.start(options.server(), store));
  }

  @Override
  public AutoCloseable controllers(Options options, Server server)
      throws IOException, GeneralSecurityException {
    Path pki = options.server().pki();
    Client client =
        server.sharing(
            LocalApi.of(options, server).client("kube-controller-manager", "fairlead-controllers"));
    try {
      Controllers controllers =
          Controllers.start(
              client,
              Controllers.Options.single(Files.readString(pki.resolve("ca.crt")))
                  .only(list)
                  .with(options.nodes())
                  .with(loadBalancers(options)));
      server.mount(ControllerPages.REASONS, ControllerPages.reasons(controllers));
      server.record(controllers::changes);
      return () -> {
        controllers.close();
        client.close();
      };
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }

  private static LoadBalancerOptions loadBalancers(Options options) {
    LoadBalancerPools pools = options.loadBalancing().pools();
    Optional<Cidr> local = localRange(options);
    if (local.isPresent()) {
      pools =
          PoolFlagReader.read(
              List.of("local=" + local.get() + ";announce=none;avoidEdgeAddresses=true"));
    }
    return new LoadBalancerOptions(
        pools,
        options.loadBalancing().isDefault(),
        options.nodes().ranges().cluster().stream()
            .map(range -> new ReservedRange(PoolRange.of(range), "the pods"))
            .toList(),
        options.loadBalancing().nodes()
            ? Optional.of(NodeAddressPool.with(options.server().services().nodePortRange()))
            : Optional.empty());
  }

  private static Optional<Cidr> localRange(Options options) {
    if (!options.hasLocalBalancer()) {
      return Optional.empty();
    }
    List<Cidr> cluster = new ArrayList<>(options.nodes().ranges().cluster());
    options.agent().ifPresent(agent -> cluster.addAll(agent.podRanges()));
    options.server().services().cidrs().forEach(range -> cluster.add(Cidr.parse(range)));
    return localBalancer(options).choose(cluster);
  }

  private static LocalBalancerRange localBalancer(Options options) {
    return new LocalBalancerRange(new DataDirectory(options.dataDirectory()).loadBalancer());
  }

  @Override
  public String loadBalancer(Options options) {
    Optional<Cidr> range = localRange(options);
    range.ifPresent(localBalancer(options)::add);
    return range
        .map(each -> each + ", this machine only")
        .orElse("no addresses: their ranges are in use here; see --load-balancer-pool");
  }

  @Override
  public Proxy proxy(Options options, Server server) throws Exception {
    ProxyConfigurationSource flags = options.proxy().orElseThrow();
    Client client =
        server.sharing(LocalApi.of(options, server).client("kube-proxy", "fairlead-proxy"));
    ProxyStartConfiguration start =
        ProxyStartConfiguration.of(
            new ProxyStartConfiguration.ProxyFlags(flags, flags::over, flags.namesMode()), client);
    ProxyConfiguration configuration = start.configuration();
    try {
      NodeProxy.prepareKernel(configuration);
      DataDirectory directory = new DataDirectory(options.dataDirectory());
      NodeProxy proxy =
          NodeProxy.open(
              configuration,
              client,
              InstantSource.system(),
              new AnnounceMeans(
                  BirdOptions.ofOwn(directory.bird()), options.loadBalancing().promiscuous()));
      server.keep("proxy", () -> Optional.of(proxy.changes()));
      try {
        proxy.start();
        if (!proxy.awaitRules(Pacer.system(), RULES_PATIENCE)) {
          throw new IllegalStateException(
              "no rules within " + RULES_PATIENCE.toSeconds() + " s: " + proxy.dump().strip());
        }
        proxy.takeOrders(directory.proxySocket());
        nodeProxy = proxy;
        return new StandardProxy(proxy, client, start);
      } catch (RuntimeException | InterruptedException e) {
        proxy.close();
        throw e;
      }
    } catch (DataPlaneException e) {
      client.close();
      throw new FairleadException(
          ErrorCode.FL201, e, configuration.text("mode"), String.valueOf(e.getMessage()));
    } catch (RuntimeException | InterruptedException e) {
      client.close();
      throw e;
    }
  }

  @Override
  public Component dns(Options options, Server server) throws Exception {
    Options.Dns wanted = options.dns().orElseThrow();
    LocalApi api = LocalApi.of(options, server);
    // Its Corefile names the files of this identity.
    api.pki().component(ClusterDns.IDENTITY);
    try (Client admin = api.client("admin", "fairlead-up")) {
      ClusterDns dns =
          ClusterDns.start(
              new ClusterDns.Config(
                  wanted.address(),
                  wanted.range(),
                  wanted.port(),
                  options.server().clusterDomain(),
                  api.address(),
                  options.server().pki(),
                  new DataDirectory(options.dataDirectory()).dns(),
                  wanted.resolvConf()),
              admin,
              InstantSource.system(),
              Pacer.system(),
              server::sharing);
      return component(dns::ready, dns::close);
    }
  }

  private static Component component(BooleanSupplier ready, Runnable close) {
    return new Component() {
      @Override
      public boolean ready() {
        return ready.getAsBoolean();
      }

      @Override
      public void close() {
        close.run();
      }
    };
  }

  @Override
  public AutoCloseable ui(Options options, Server server)
      throws IOException, GeneralSecurityException {
    LocalApi api = LocalApi.of(options, server);
    Client client = server.sharing(api.client("admin", "fairlead-ui"));
    try {
      return ServedPage.start(
          options.ui().orElseThrow(),
          new PageHost(
              api.administrator(),
              true,
              client,
              commands,
              new DataDirectory(options.dataDirectory()).root()),
          server);
    } catch (IOException | RuntimeException e) {
      client.close();
      throw e;
    }
  }

  @Override
  public AutoCloseable publish(Options options, Server server, NodeParts parts) {
    LocalApi api = LocalApi.of(options, server);
    long pid = ProcessHandle.current().pid();
    return SystemPodPublisher.start(
        () -> server.sharing(api.client("admin", "fairlead-up")),
        new SystemPodPublisher.ShownNode(
            options.agent().map(AgentOptions::nodeName).orElse(""),
            options.agent().map(AgentOptions::addresses).orElse(List.of()),
            FairleadVersion.current(),
            pid + "-" + ProcessFacts.startTicks(pid).orElse(0)),
        parts.proxy().filter(StandardProxy.class::isInstance).map(StandardProxy.class::cast),
        parts.dns().map(dns -> dns::ready),
        parts.agent().map(agent -> agent::ready),
        InstantSource.system());
  }

  @Override
  public Policy policy(Options options, Server server) throws Exception {
    LocalApi api = LocalApi.of(options, server);
    Client client = api.client(api.pki().component(POLICY_IDENTITY), "fairlead-policy");
    try {
      Policy policy =
          NodePolicy.start(
              options.policy().orElseThrow(),
              client,
              InstantSource.system(),
              RULES_PATIENCE,
              this::proxyHidesSource);
      NodeProxy proxy = nodeProxy;
      if (proxy != null) {
        proxy.knowDrops(policy::drops);
      }
      return policy;
    } catch (RuntimeException | InterruptedException | IOException e) {
      client.close();
      throw e;
    }
  }

  private boolean proxyHidesSource() {
    NodeProxy proxy = nodeProxy;
    return proxy != null && proxy.hidesSource();
  }

  private NodeInsight insight(Options options) {
    NodeProxy proxy = nodeProxy;
    return proxy == null
        ? NodeInsight.at(new DataDirectory(options.dataDirectory()).proxySocket())
        : NodeInsight.of(proxy.nodeApi());
  }

  @Override
  public Component agent(Options options, Server server) throws Exception {
    AgentOptions wanted = options.agent().orElseThrow();
    if (options.policy().isEmpty()) {
      NodePolicy.removeLeftRules();
    }
    LocalApi api = LocalApi.of(options, server);
    Pki pki = api.pki();
    Client client = server.sharing(api.client(pki.node(wanted.nodeName()), "fairlead-agent"));
    try {
      Agent agent =
          Agent.start(
              client,
              wanted,
              Optional.of(
                  NodeServerAuth.options(
                          client, pki.authority(), wanted.nodeName(), LOOPBACK, NEAR, 0, false)
                      .with(insight(options))));
      NodeProxy proxy = nodeProxy;
      if (proxy != null) {
        proxy.knowPods(NodeInsight.directory(agent.served()));
      }
      server.serveNode(wanted.nodeName(), NEAR, agent.port());
      agent.awaitStatuses(STATUS_PATIENCE);
      return component(
          agent::isReady,
          () -> {
            agent.close();
            if (!agent.podsOutlive()) {
              // Workloads of this program end with it, so their network has no more use.
              Agent.removeAll(wanted.directory(), wanted.host());
            }
            client.close();
          });
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }
}
