package io.fairlead.app.controllers;

import io.fairlead.api.net.Cidr;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.text.Phrase;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.kubeconfig.InClusterConfig;
import io.fairlead.client.kubeconfig.Kubeconfig;
import io.fairlead.client.kubeconfig.KubeconfigException;
import io.fairlead.client.lease.LeaderElector;
import io.fairlead.client.tls.Trust;
import io.fairlead.controller.Controllers;
import io.fairlead.controller.EndpointOptions;
import io.fairlead.controller.NodeOptions;
import io.fairlead.controller.endpointslice.Batching;
import io.fairlead.controller.endpointslice.EndpointSliceOptions;
import io.fairlead.controller.loadbalancer.LoadBalancerOptions;
import io.fairlead.controller.mirroring.MirroringController;
import io.fairlead.controller.nodeipam.NodeRanges;
import io.fairlead.controller.runtime.ControllerList;
import io.fairlead.http.tls.PemWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Turns the flags of `controllers` into [ControllersOptions], and refuses what cannot be meant.
public final class ControllersOptionReader {
  private static final Logger log = LoggerFactory.getLogger(ControllersOptionReader.class);

  /// Controllers of the original that kubeadm switches on, for bootstrap tokens.
  private static final Set<String> ABSENT =
      Set.of(
          "bootstrapsigner",
          "bootstrap-signer-controller",
          "tokencleaner",
          "token-cleaner-controller");

  private final Arguments arguments;
  private final Map<String, String> environment;

  public ControllersOptionReader(Arguments arguments, Map<String, String> environment) {
    this.arguments = arguments;
    this.environment = environment;
  }

  public ControllersOptions read() {
    together("tls-cert-file", "tls-private-key-file");
    together("tls-private-key-file", "tls-cert-file");
    ControllerList list = list(arguments);
    LeaderElector.Timing timing = timing();
    EndpointOptions endpoints = endpoints();
    LoadBalancerOptions balancers = LoadBalancerOptionReader.forControllers(arguments);
    ClientConfig connection = connection();
    Controllers.Options options =
        Controllers.Options.cluster(rootCa(connection))
            .only(list)
            .with(endpoints)
            .with(nodes())
            .with(balancers);
    if (arguments.on("leader-elect")) {
      options =
          options.elected(
              new Controllers.Election(
                  new ObjectKey(
                      arguments.text("leader-elect-resource-namespace"),
                      arguments.text("leader-elect-resource-name")),
                  hostName() + "_" + UUID.randomUUID(),
                  timing));
    }
    return new ControllersOptions(
        connection,
        options,
        arguments.on("use-service-account-credentials"),
        new ControllersOptions.SecureServing(
            arguments.text("bind-address"),
            arguments.number("secure-port"),
            arguments.path("tls-cert-file"),
            arguments.path("tls-private-key-file"),
            arguments.path("client-ca-file")));
  }

  /// What `--controllers` says.
  public static ControllerList list(Arguments arguments) {
    List<String> words = new ArrayList<>();
    for (String word : arguments.list("controllers")) {
      if (ABSENT.contains(word)) {
        log.atWarn().addKeyValue("controller", word).log("there is no such controller here");
      } else {
        words.add(word);
      }
    }
    try {
      return Controllers.list(words);
    } catch (ControllerList.UnknownController e) {
      throw new FairleadException(
          ErrorCode.FL303, e, "--controllers", e.word(), "*, " + String.join(", ", e.known()));
    }
  }

  private EndpointOptions endpoints() {
    return new EndpointOptions(
        arguments.number("concurrent-endpoint-syncs"),
        arguments.duration("endpoint-updates-batch-period"),
        new MirroringController.Settings(
            arguments.number("mirroring-concurrent-service-endpoint-syncs"),
            arguments.number("mirroring-max-endpoints-per-subset"),
            arguments.duration("mirroring-endpointslice-updates-batch-period")),
        slices());
  }

  private NodeOptions nodes() {
    return new NodeOptions(
        arguments.on("allocate-node-cidrs") ? ranges() : NodeRanges.NONE,
        arguments.duration("node-monitor-grace-period"));
  }

  private NodeRanges ranges() {
    if (arguments.list("cluster-cidr").isEmpty()) {
      throw new FairleadException(
          ErrorCode.FL305,
          "--allocate-node-cidrs",
          "--cluster-cidr",
          Phrase.of("FL305.needs", "--allocate-node-cidrs", "--cluster-cidr"),
          "controllers");
    }
    try {
      return new NodeRanges(
          arguments.list("cluster-cidr").stream().map(Cidr::parse).toList(),
          arguments.number("node-cidr-mask-size-ipv4"),
          arguments.number("node-cidr-mask-size-ipv6"));
    } catch (IllegalArgumentException e) {
      throw new FairleadException(
          ErrorCode.FL303,
          e,
          "--cluster-cidr",
          arguments.text("cluster-cidr"),
          String.valueOf(e.getMessage()));
    }
  }

  private EndpointSliceOptions slices() {
    int most = arguments.number("max-endpoints-per-slice");
    if (most > EndpointSliceOptions.SERVER_LIMIT) {
      throw new FairleadException(
          ErrorCode.FL303,
          "--max-endpoints-per-slice",
          Integer.toString(most),
          "1-" + EndpointSliceOptions.SERVER_LIMIT);
    }
    return new EndpointSliceOptions(
        most,
        Batching.of(arguments.duration("endpointslice-updates-batch-period")),
        arguments.number("concurrent-service-endpoint-syncs"));
  }

  private LeaderElector.Timing timing() {
    try {
      return new LeaderElector.Timing(
          arguments.duration("leader-elect-lease-duration"),
          arguments.duration("leader-elect-renew-deadline"),
          arguments.duration("leader-elect-retry-period"));
    } catch (IllegalArgumentException e) {
      throw new FairleadException(
          ErrorCode.FL305,
          e,
          "--leader-elect-lease-duration",
          "--leader-elect-renew-deadline",
          Phrase.of("why.election"),
          "controllers");
    }
  }

  /// The kubeconfig named, else the service account of this pod, else the kubeconfig kubectl uses.
  private ClientConfig connection() {
    Optional<Path> file = arguments.path("kubeconfig");
    String shown = file.map(Path::toString).orElse("~/.kube/config");
    try {
      if (file.isEmpty()) {
        Optional<ClientConfig> pod = InClusterConfig.detect(environment, InClusterConfig.DIRECTORY);
        if (pod.isPresent()) {
          return pod.get();
        }
      }
      return Kubeconfig.load(file, environment, Path.of(environment.getOrDefault("HOME", "/")))
          .connection();
    } catch (KubeconfigException e) {
      throw new FairleadException(ErrorCode.FL209, e, shown, e.why());
    }
  }

  private String rootCa(ClientConfig connection) {
    Optional<Path> file = arguments.path("root-ca-file");
    if (file.isPresent()) {
      try {
        return Files.readString(file.get());
      } catch (IOException e) {
        throw new FairleadException(ErrorCode.FL304, e, "--root-ca-file", file.get().toString());
      }
    }
    return connection.trust() instanceof Trust.Certificates(var roots)
        ? PemWriter.certificates(roots)
        : "";
  }

  private void together(String flag, String needed) {
    if (arguments.find(flag).isPresent() && arguments.find(needed).isEmpty()) {
      throw new FairleadException(
          ErrorCode.FL305,
          "--" + flag,
          "--" + needed,
          Phrase.of("FL305.needs", "--" + flag, "--" + needed),
          "controllers");
    }
  }

  private static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException _) {
      return "localhost";
    }
  }
}
