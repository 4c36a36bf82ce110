package io.fairlead.app.command;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.instance.ProcessFacts;
import io.fairlead.app.logging.Logging;
import io.fairlead.app.node.BirdOptions;
import io.fairlead.app.node.NodeProxy;
import io.fairlead.app.node.ProxyInsight;
import io.fairlead.app.systempod.KubeProxyConfigMap;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.transport.FastStartTransport;
import io.fairlead.proxy.config.BindAddress;
import io.fairlead.proxy.config.ConfigurationFileWatcher;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.iptables.NfacctCounters;
import io.fairlead.proxy.nftables.NftablesPlane;
import io.fairlead.proxy.runtime.RestartCheckpoint;
import io.fairlead.proxy.runtime.ServiceInformers;
import io.fairlead.work.Pacer;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `fairlead proxy`: the service proxy of this node, in the place of a kube-proxy.
public final class ProxyCommand implements Command {
  /// What the rules of a small cluster take; beyond that the heap is held close to what is in use.
  private static final long HEAP = 24L << 20;

  private static final String INSIGHT = "127.0.0.1:10261";

  private static final Logger log = LoggerFactory.getLogger(ProxyCommand.class);

  @Override
  public int run(Arguments arguments, CommandContext context) {
    ProxyConfiguration configuration = ProxyOptions.configuration(arguments);
    Optional<Path> copy = arguments.path("write-config-to");
    if (copy.isPresent()) {
      return write(configuration, copy.get());
    }
    Logging.to(context.terminal().err(), arguments.text("logging-format"), arguments.number("v"));
    if (arguments.on("cleanup")) {
      Preflight.requireCleanupRights(ProcessFacts.mayChangeNetwork(), arguments);
      return cleanUp(configuration, arguments, context);
    }
    if (arguments.on("init-only")) {
      NodeProxy.prepareKernel(configuration);
      return ExitCode.FINE;
    }
    Optional<InetSocketAddress> insight = insightAddress(arguments, context);
    ClientConfig connection = ClientConfigLoader.of(arguments, context, configuration);
    Client client = new Client(new FastStartTransport(connection, "fairlead-proxy"));
    // What takes long and is needed in any case goes on while the rest is found out.
    ServiceInformers feed = new ServiceInformers(client, TimingSources.system());
    if (!Files.exists(note(arguments))) {
      feed.start();
    }
    Tasks.startPlatform("proxy-preload", NftablesPlane::preload);
    ProxyConfiguration whole = withCluster(configuration, client, arguments);
    NodeProxy.prepareKernel(whole);
    return new Run(arguments, context, client, connection, insight).serve(whole, feed);
  }

  /// Where its node API listens; empty for nowhere, as a kube-proxy has none.
  private static Optional<InetSocketAddress> insightAddress(
      Arguments arguments, CommandContext context) {
    String text =
        arguments
            .find("insight-bind-address")
            .orElse(context.isCalled("kube-proxy") ? "" : INSIGHT);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    InetSocketAddress address = BindAddress.parse(text);
    if (address == null) {
      throw new FairleadException(ErrorCode.FL303, "--insight-bind-address", text, INSIGHT);
    }
    return Optional.of(address);
  }

  /// Where it is written down which state of the API the rules show, beside the socket for orders.
  private static Path note(Arguments arguments) {
    return Path.of(arguments.text("control")).resolveSibling("standing.json");
  }

  /// Without a file of its own the proxy follows what the cluster says.
  private static ProxyConfiguration withCluster(
      ProxyConfiguration own, Client client, Arguments arguments) {
    if (arguments.path("config").isPresent()) {
      return own;
    }
    try {
      return KubeProxyConfigMap.find(client, Pacer.system())
          .map(text -> ProxyOptions.ofCluster(text, arguments))
          .orElse(own);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return own;
    }
  }

  private static int write(ProxyConfiguration configuration, Path file) {
    try {
      Files.writeString(file, Yaml.write(configuration.tree()));
      return ExitCode.FINE;
    } catch (IOException e) {
      throw new FairleadException(ErrorCode.FL304, e, "--write-config-to", file.toString());
    }
  }

  /// Leaves the machine as it was before any mode wrote to it.
  private static int cleanUp(
      ProxyConfiguration configuration, Arguments arguments, CommandContext context) {
    List<String> problems = new ArrayList<>(NodeProxy.removeRules(configuration));
    BirdOptions.endLeft(arguments).ifPresent(problems::add);
    try {
      RestartCheckpoint.forget(note(arguments));
    } catch (IOException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
    // One that another proxy's rules count with stays.
    boolean _ = NfacctCounters.remove(List.of());
    problems.forEach(context.terminal().err()::println);
    return problems.isEmpty() ? ExitCode.FINE : ExitCode.COULD_NOT;
  }

  /// One proxy in the foreground.
  ///
  /// @param insight where its node API listens
  private record Run(
      Arguments arguments,
      CommandContext context,
      Client client,
      ClientConfig connection,
      Optional<InetSocketAddress> insight) {
    int serve(ProxyConfiguration configuration, ServiceInformers feed) {
      try (NodeProxy proxy =
          NodeProxy.open(
              configuration,
              client,
              context.clock(),
              feed,
              note(arguments),
              BirdOptions.means(arguments))) {
        proxy.takeOrders(Path.of(arguments.text("control")));
        return stay(proxy);
      } catch (DataPlaneException e) {
        throw new FairleadException(
            ErrorCode.FL201, e, configuration.text("mode"), String.valueOf(e.getMessage()));
      }
    }

    private int stay(NodeProxy proxy) {
      ProcessSignals.onDump(() -> log.atInfo().log(proxy.dump()));
      Tasks.atExit(
          "shutdown",
          () -> {
            log.atInfo().log("stopping, rules stay");
            proxy.close();
            client.close();
            Runtime.getRuntime().halt(ExitCode.FINE);
          });
      // The supervisor of the process starts it again, with what the file says then.
      arguments
          .path("config")
          .ifPresent(
              file ->
                  ConfigurationFileWatcher.watch(
                      file,
                      Pacer.system(),
                      () -> {
                        log.atError()
                            .addKeyValue("file", file)
                            .log("the configuration file has changed, ending; rules stay");
                        proxy.close();
                        client.close();
                        Runtime.getRuntime().halt(ExitCode.COULD_NOT);
                      }));
      try {
        proxy.start();
        SystemdNotifier.ready(context.environment(), proxy.summary());
        // Closed with the process: nothing of it outlives that.
        insight.ifPresent(address -> ProxyInsight.open(address, client, connection, proxy));
        // What the first state of a large cluster left behind is given back soon.
        new HeapGrowthLimiter(HEAP).keep();
      } catch (DataPlaneException e) {
        throw new FairleadException(ErrorCode.FL210, e, "proxy", String.valueOf(e.getMessage()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return ExitCode.FINE;
    }
  }
}
