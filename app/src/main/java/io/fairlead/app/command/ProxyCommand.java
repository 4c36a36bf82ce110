package io.fairlead.app.command;

import io.fairlead.api.net.IpAddress;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Exit;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.logging.Logging;
import io.fairlead.client.Client;
import io.fairlead.client.informer.Pacing;
import io.fairlead.client.time.Pacer;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.proxy.config.ConfigurationFile;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.conntrack.KernelFlowTable;
import io.fairlead.proxy.control.ControlSocket;
import io.fairlead.proxy.control.ModeChange;
import io.fairlead.proxy.control.Orders;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.mode.Modes;
import io.fairlead.proxy.node.ConntrackSettings;
import io.fairlead.proxy.node.LocalAddresses;
import io.fairlead.proxy.node.Sysctls;
import io.fairlead.proxy.runtime.Proxy;
import io.fairlead.proxy.runtime.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `fairlead proxy`: the service proxy of this node, in the place of a kube-proxy.
public final class ProxyCommand implements Command {
  private static final Logger log = LoggerFactory.getLogger(ProxyCommand.class);

  @Override
  public int run(Arguments arguments, Context context) {
    ProxyConfiguration configuration = ProxyOptions.configuration(arguments);
    Optional<Path> copy = arguments.path("write-config-to");
    if (copy.isPresent()) {
      return write(configuration, copy.get());
    }
    Logging.to(context.terminal().err(), arguments.text("logging-format"), arguments.number("v"));
    Sysctls sysctls = new Sysctls(Path.of("/proc/sys"));
    Modes modes = new Modes(configuration, sysctls);
    if (arguments.on("cleanup")) {
      return cleanUp(modes, context);
    }
    if (arguments.on("init-only")) {
      prepareKernel(configuration, sysctls);
      return Exit.FINE;
    }
    Client client =
        new Client(
            new HttpTransport(Connections.of(arguments, context, configuration), "fairlead-proxy"));
    ProxyConfiguration whole = withCluster(configuration, client, arguments);
    prepareKernel(whole, sysctls);
    return serve(arguments, context, client, whole, sysctls);
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

  /// Takes orders; where that cannot be, the proxy does its work without.
  private static @Nullable ControlSocket control(
      Arguments arguments, Proxy proxy, ModeChange change) {
    try {
      return ControlSocket.open(
          Path.of(arguments.text("control")), new Orders(proxy, change)::answer);
    } catch (IOException | UnsupportedOperationException e) {
      log.atWarn()
          .addKeyValue("why", e.getMessage())
          .log("takes no orders: the command mode will not reach this proxy");
      return null;
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
  private static int cleanUp(Modes modes, Context context) {
    boolean clean = true;
    for (String mode : Modes.ALL) {
      for (String problem : modes.remove(mode)) {
        context.terminal().err().println(problem);
        clean = false;
      }
    }
    return clean ? Exit.FINE : Exit.COULD_NOT;
  }

  private static void prepareKernel(ProxyConfiguration configuration, Sysctls sysctls) {
    List<String> failed =
        ConntrackSettings.apply(configuration, sysctls, Runtime.getRuntime().availableProcessors());
    if (!failed.isEmpty()) {
      log.atWarn().addKeyValue("names", failed).log("going on with the kernel's own values");
    }
  }

  private static int serve(
      Arguments arguments,
      Context context,
      Client client,
      ProxyConfiguration configuration,
      Sysctls sysctls) {
    Modes modes = new Modes(configuration, sysctls);
    Modes.Chosen chosen;
    Map<IpAddress.Family, DataPlane> planes;
    try {
      chosen = modes.choose();
      planes = modes.open(chosen.mode());
    } catch (DataPlaneException e) {
      throw new Problem(Code.FL201, e, configuration.text("mode"), String.valueOf(e.getMessage()));
    }
    if (!chosen.warning().isEmpty()) {
      log.atWarn().log(chosen.warning());
    }
    ModeChange change = new ModeChange(configuration, modes, sysctls);
    Proxy proxy =
        new Proxy(
            configuration,
            new Surroundings(
                client,
                chosen.mode(),
                nodeName(configuration),
                planes,
                new KernelFlowTable(),
                LocalAddresses.now(),
                context.clock(),
                Pacing.system(),
                () -> afterFirstRules(configuration, chosen.mode(), modes, change)));
    if (!chosen.warning().isEmpty()) {
      proxy.warn("IPVSFallback", chosen.warning());
    }
    if (chosen.mode().equals(Modes.IPVS)) {
      proxy.warn(
          "IPVSDeprecation",
          "kube-proxy gives its ipvs mode up; fairlead keeps it, and the nftables mode is faster");
    }
    try (ControlSocket _ = control(arguments, proxy, change)) {
      return stay(proxy, client, context, arguments.path("config"));
    }
  }

  /// What must not happen before the new rules are there: opening 127.0.0.0/8 for node ports, which
  /// a rule guards, and taking away the other modes' rules, which would still catch packets.
  private static void afterFirstRules(
      ProxyConfiguration configuration, String mode, Modes modes, ModeChange change) {
    if (!configuration.text(Modes.USERSPACE, "bind").isEmpty()) {
      // Without rules of its own it has no business with those of others.
      return;
    }
    change.enter(mode);
    for (String other : Modes.ALL) {
      if (!other.equals(mode)) {
        for (String problem : modes.remove(other, mode)) {
          log.atInfo().addKeyValue("why", problem).log("rules of another mode were not looked for");
        }
      }
    }
  }

  private static int stay(
      Proxy proxy, Client client, Context context, Optional<Path> configurationFile) {
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
      new CountDownLatch(1).await();
    } catch (DataPlaneException e) {
      throw new Problem(Code.FL210, e, "proxy", String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Exit.FINE;
  }

  /// The configured name, or the machine's; a wrong one makes every endpoint a remote one.
  private static String nodeName(ProxyConfiguration configuration) {
    String given = configuration.text("hostnameOverride").strip();
    String name = given.isEmpty() ? LocalAddresses.hostName() : given;
    return name.toLowerCase(Locale.ROOT);
  }
}
