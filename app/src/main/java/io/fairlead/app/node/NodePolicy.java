package io.fairlead.app.node;

import io.fairlead.app.ComponentFactory;
import io.fairlead.client.Client;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.policy.runtime.PolicyDaemon;
import io.fairlead.policy.runtime.PolicyOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;

/// The enforcement of NetworkPolicies on this machine. Closing it leaves the rules.
public final class NodePolicy {
  private static final Logger log = LoggerFactory.getLogger(NodePolicy.class);

  private NodePolicy() {}

  /// Starts it and waits for the first rules. A kernel without nftables is no obstacle for the rest
  /// of the node: the result says that nothing is enforced.
  ///
  /// @param client is closed with the result
  /// @param proxyHidesSource whether the service proxy calls pods from the node now
  public static ComponentFactory.Policy start(
      PolicyOptions options,
      Client client,
      InstantSource clock,
      Duration patience,
      BooleanSupplier proxyHidesSource)
      throws IOException, InterruptedException {
    Optional<String> refusal = refusal();
    if (refusal.isPresent()) {
      String text = "not enforced: the kernel has no nftables (" + refusal.get() + ")";
      log.atWarn().addKeyValue("code", "FL169").log("NetworkPolicy is " + text);
      return component(text, Optional.empty(), client::close);
    }
    PolicyDaemon daemon = new PolicyDaemon(options, client, clock, proxyHidesSource);
    daemon.alwaysFollowAllPods();
    try {
      daemon.start();
      if (!daemon.awaitReady(patience)) {
        throw new IllegalStateException("no rules within " + patience.toSeconds() + " s");
      }
    } catch (RuntimeException | InterruptedException | IOException e) {
      daemon.close();
      throw e;
    }
    return component(
        daemon.gate(),
        Optional.of(daemon),
        () -> {
          daemon.close();
          client.close();
        });
  }

  /// Takes away the rules that a process left which was killed, where policies are not enforced any
  /// more: they would keep every new pod closed. Those of a process that runs stay, as they are its
  /// own.
  public static void removeLeftRules() {
    try {
      PolicyDaemon.removeTables();
    } catch (SystemCallException e) {
      log.atInfo()
          .addKeyValue("why", e.getMessage())
          .log("rules of another policy component were left alone");
    }
  }

  private static Optional<String> refusal() {
    try (Nftables nftables = Nftables.open()) {
      return nftables.refusal(NftFamily.IP).or(() -> nftables.refusal(NftFamily.IP6));
    } catch (SystemCallException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static ComponentFactory.Policy component(
      String summary, Optional<PolicyDaemon> daemon, Runnable close) {
    return new ComponentFactory.Policy() {
      @Override
      public String summary() {
        return summary;
      }

      @Override
      public boolean enforces() {
        return daemon.isPresent();
      }

      @Override
      public Optional<ArrayNode> drops() {
        return daemon.map(PolicyDaemon::drops);
      }

      @Override
      public void close() {
        close.run();
      }
    };
  }
}
