package io.fairlead.app.command;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Exit;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.logging.Logging;
import io.fairlead.app.proxy.NodeProxy;
import io.fairlead.client.Client;
import io.fairlead.client.informer.Pacing;
import io.fairlead.client.time.Pacer;
import io.fairlead.client.transport.PromptTransport;
import io.fairlead.proxy.config.ConfigurationFile;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.iptables.Accounting;
import io.fairlead.proxy.nftables.NftablesPlane;
import io.fairlead.proxy.runtime.ServiceFeed;
import io.fairlead.proxy.runtime.Standing;
import java.io.IOException;
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

  private static final Logger log = LoggerFactory.getLogger(ProxyCommand.class);

  @Override
  public int run(Arguments arguments, Context context) {
    ProxyConfiguration configuration = ProxyOptions.configuration(arguments);
    Optional<Path> copy = arguments.path("write-config-to");
    if (copy.isPresent()) {
      return write(configuration, copy.get());
    }
    Logging.to(context.terminal().err(), arguments.text("logging-format"), arguments.number("v"));
    if (arguments.on("cleanup")) {
      return cleanUp(configuration, arguments, context);
    }
    if (arguments.on("init-only")) {
      NodeProxy.prepareKernel(configuration);
      return Exit.FINE;
    }
    Client client =
        new Client(
            new PromptTransport(
                Connections.of(arguments, context, configuration), "fairlead-proxy"));
    // What takes long and is needed in any case goes on while the rest is found out.
    ServiceFeed feed = new ServiceFeed(client, Pacing.system());
    if (!Files.exists(note(arguments))) {
      feed.start();
    }
    Thread.ofPlatform().daemon().name("proxy-preload").start(NftablesPlane::preload);
    ProxyConfiguration whole = withCluster(configuration, client, arguments);
    NodeProxy.prepareKernel(whole);
    return serve(arguments, context, client, whole, feed);
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
      return ClusterConfiguration.find(client, Pacer.system())
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
      return Exit.FINE;
    } catch (IOException e) {
      throw new Problem(Code.FL304, e, "--write-config-to", file.toString());
    }
  }

  /// Leaves the machine as it was before any mode wrote to it.
  private static int cleanUp(
      ProxyConfiguration configuration, Arguments arguments, Context context) {
    List<String> problems = new ArrayList<>(NodeProxy.removeRules(configuration));
    try {
      Standing.forget(note(arguments));
    } catch (IOException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
    // One that another proxy's rules count with stays.
    boolean _ = Accounting.remove(List.of());
    problems.forEach(context.terminal().err()::println);
    return problems.isEmpty() ? Exit.FINE : Exit.COULD_NOT;
  }

  private static int serve(
      Arguments arguments,
      Context context,
      Client client,
      ProxyConfiguration configuration,
      ServiceFeed feed) {
    try (NodeProxy proxy =
        NodeProxy.open(configuration, client, context.clock(), feed, note(arguments))) {
      proxy.takeOrders(Path.of(arguments.text("control")));
      return stay(proxy, client, context, arguments.path("config"));
    } catch (DataPlaneException e) {
      throw new Problem(Code.FL201, e, configuration.text("mode"), String.valueOf(e.getMessage()));
    }
  }

  private static int stay(
      NodeProxy proxy, Client client, Context context, Optional<Path> configurationFile) {
    Signals.onDump(() -> log.atInfo().log(proxy.dump()));
    Thread hook =
        Thread.ofPlatform()
            .name("shutdown")
            .unstarted(
                () -> {
                  log.atInfo().log("stopping, rules stay");
                  proxy.close();
                  client.close();
                  Runtime.getRuntime().halt(Exit.FINE);
                });
    Runtime.getRuntime().addShutdownHook(hook);
    // Whoever supervises the process starts it again, with what the file says then.
    configurationFile.ifPresent(
        file ->
            ConfigurationFile.watch(
                file,
                Pacer.system(),
                () -> {
                  log.atError()
                      .addKeyValue("file", file)
                      .log("the configuration file has changed, ending; rules stay");
                  proxy.close();
                  client.close();
                  Runtime.getRuntime().halt(Exit.COULD_NOT);
                }));
    try {
      proxy.start();
      ServiceManager.ready(context.environment(), proxy.summary());
      // What the first state of a large cluster left behind is given back soon.
      new HeapKeeper(HEAP).keep(Pacer.system());
    } catch (DataPlaneException e) {
      throw new Problem(Code.FL210, e, "proxy", String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Exit.FINE;
  }
}
