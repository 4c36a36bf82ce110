package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Pod;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.lease.PolicyReport;
import io.fairlead.client.transport.ConnectionException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows the report of this node's policy component and calls the workers of pods that wait for
/// it. Safe for many threads.
public final class PolicyReportWatcher implements PolicyProgress, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PolicyReportWatcher.class);
  private static final int FORBIDDEN = 403;
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  private final PolicyWaitMode mode;
  private final String node;
  private final String bootId;
  private final InstantSource clock;
  private final Informer<ApiObject> leases;
  private final Set<String> waiting = ConcurrentHashMap.newKeySet();
  private final Consumer<String> poke;

  /// @param poke is given the uid of a pod whose state may have changed
  public PolicyReportWatcher(
      Client client,
      String node,
      PolicyWaitMode mode,
      TimingSources timing,
      InstantSource clock,
      Consumer<String> poke) {
    this.node = node;
    this.mode = readable(client, node, mode);
    this.bootId = bootId();
    this.clock = clock;
    this.poke = poke;
    this.leases =
        new Informer<>(
            ListWatchFactory.objectsByField(
                client,
                ResourceType.LEASES,
                PolicyReport.NAMESPACE,
                "metadata.name=" + PolicyReport.key(node).name()),
            ApiObject::of,
            timing);
    leases.onChange(ChangeHandler.of(_ -> changed(), _ -> changed()));
  }

  /// A cluster that does not let the agent read the report has no wait, unless it was asked for.
  private static PolicyWaitMode readable(Client client, String node, PolicyWaitMode wanted) {
    if (wanted != PolicyWaitMode.AUTO) {
      return wanted;
    }
    try {
      client.find(ResourceType.LEASES, PolicyReport.key(node));
    } catch (ApiException e) {
      if (e.status().code() == FORBIDDEN) {
        log.atInfo()
            .addKeyValue("why", e.getMessage())
            .log("cannot read the report of the policy component: no pod waits for it");
        return PolicyWaitMode.OFF;
      }
    } catch (ConnectionException e) {
      // The watch finds out later.
      log.atDebug().setCause(e).log("the report of the policy component was not read yet");
    }
    return wanted;
  }

  private static String bootId() {
    try {
      return Files.readString(BOOT_ID).strip();
    } catch (IOException _) {
      return "";
    }
  }

  public void start() {
    if (mode != PolicyWaitMode.OFF) {
      leases.start();
    }
  }

  private void changed() {
    for (String uid : waiting) {
      waiting.remove(uid);
      poke.accept(uid);
    }
  }

  @Override
  public State of(Pod pod, Optional<String> version) {
    // First: a change that comes in between calls the worker again.
    waiting.add(pod.uid());
    State state = look(pod, version);
    if (state == State.NOT_AWAITED || state == State.IN_FORCE) {
      waiting.remove(pod.uid());
    }
    return state;
  }

  private State look(Pod pod, Optional<String> version) {
    if (mode == PolicyWaitMode.OFF) {
      return State.NOT_AWAITED;
    }
    boolean contact = leases.hasSynced();
    if (!contact && pod.isStatic()) {
      // The node's own components may be what the API needs to come up.
      return State.NOT_AWAITED;
    }
    Optional<PolicyReport> report =
        leases.get(PolicyReport.key(node)).map(ApiObject::body).map(PolicyReport::of);
    if (contact && report.isEmpty() && mode == PolicyWaitMode.AUTO) {
      return State.NOT_AWAITED;
    }
    return report
        .filter(one -> one.lives(clock.instant()) && one.bootId().equals(bootId))
        .map(one -> progress(one, version))
        .orElse(State.ABSENT);
  }

  private static State progress(PolicyReport report, Optional<String> version) {
    if (version.isPresent() && report.shows("pods", version.get())) {
      return State.IN_FORCE;
    }
    return report.gate() ? State.BEHIND : State.ABSENT;
  }

  @Override
  public void close() {
    leases.close();
  }
}
