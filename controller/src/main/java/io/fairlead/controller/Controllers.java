package io.fairlead.controller;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.lease.LeaderElector;
import io.fairlead.controller.loadbalancer.LoadBalancerOptions;
import io.fairlead.controller.runtime.ControllerList;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The controllers of a cluster, started and stopped together. They watch and wait: an idle cluster
/// costs nothing but open watches, and with election a lease that is renewed.
public final class Controllers implements AutoCloseable {
  /// Who of several processes works.
  ///
  /// @param lease the object they compete for
  /// @param identity this process, unlike any other
  public record Election(ObjectKey lease, String identity, LeaderElector.Timing timing) {
    /// The lease of kube-controller-manager, so that one of those and we never work at once.
    public static final ObjectKey STANDARD_LEASE =
        new ObjectKey("kube-system", "kube-controller-manager");
  }

  /// @param list which of them run
  /// @param election empty where no second process can exist
  /// @param endpoints how the endpoint controllers work
  /// @param rootCa PEM text that pods check the API server with
  /// @param namespaceSettle how long to wait before a deleted namespace is emptied; zero where one
  ///   API server is all there is, some seconds where several must notice first
  /// @param nodes how nodes are looked after
  /// @param loadBalancers which Services get load balancer addresses, and from where
  public record Options(
      ControllerList list,
      Optional<Election> election,
      EndpointOptions endpoints,
      String rootCa,
      Duration namespaceSettle,
      NodeOptions nodes,
      LoadBalancerOptions loadBalancers,
      InstantSource clock,
      TimingSources pacing) {
    /// For a single API server, beside it in one process.
    public static Options single(String rootCa) {
      return new Options(
          ControllerList.STANDARD,
          Optional.empty(),
          EndpointOptions.STANDARD,
          rootCa,
          Duration.ZERO,
          NodeOptions.STANDARD,
          LoadBalancerOptions.STANDARD,
          InstantSource.system(),
          TimingSources.system());
    }

    /// For several API servers on one store, or those of another cluster.
    public static Options cluster(String rootCa) {
      return new Options(
          ControllerList.STANDARD,
          Optional.empty(),
          EndpointOptions.STANDARD,
          rootCa,
          Duration.ofSeconds(5),
          NodeOptions.STANDARD,
          LoadBalancerOptions.STANDARD,
          InstantSource.system(),
          TimingSources.system());
    }

    public Options only(ControllerList wanted) {
      return new Options(
          wanted,
          election,
          endpoints,
          rootCa,
          namespaceSettle,
          nodes,
          loadBalancers,
          clock,
          pacing);
    }

    public Options elected(Election how) {
      return new Options(
          list,
          Optional.of(how),
          endpoints,
          rootCa,
          namespaceSettle,
          nodes,
          loadBalancers,
          clock,
          pacing);
    }

    public Options with(EndpointOptions how) {
      return new Options(
          list, election, how, rootCa, namespaceSettle, nodes, loadBalancers, clock, pacing);
    }

    public Options with(NodeOptions how) {
      return new Options(
          list, election, endpoints, rootCa, namespaceSettle, how, loadBalancers, clock, pacing);
    }

    public Options with(LoadBalancerOptions how) {
      return new Options(
          list, election, endpoints, rootCa, namespaceSettle, nodes, how, clock, pacing);
    }
  }

  private final LeaderTerms terms;
  private final @Nullable LeaderElector elector;

  private Controllers(LeaderTerms terms, @Nullable LeaderElector elector) {
    this.terms = terms;
    this.elector = elector;
  }

  /// All that are on by default and the scheduler: for a cluster that has no other.
  public static ControllerList withScheduler() {
    return list(List.of("*", ControllerRegistry.SCHEDULER));
  }

  /// The names there are, sorted.
  public static List<String> names() {
    return ControllerRegistry.names();
  }

  /// Reads what `--controllers` says.
  ///
  /// @throws ControllerList.UnknownController for a word that names none
  public static ControllerList list(List<String> words) {
    return ControllerList.parse(words, ControllerRegistry.names(), ControllerRegistry.aliases());
  }

  /// Starts the controllers, or with election the competition for them. The client stays the
  /// caller's. Without election it throws, with nothing left running, when the server cannot be
  /// asked.
  public static Controllers start(Client client, Options options) {
    return start(client, ControllerAccounts.all(client), options);
  }

  /// The same, with clients for what each controller writes; all read by the first.
  public static Controllers start(Client client, ControllerAccounts accounts, Options options) {
    LeaderTerms terms = new LeaderTerms(client, accounts, options);
    if (options.election().isEmpty()) {
      terms.startNow();
      return new Controllers(terms, null);
    }
    Election election = options.election().get();
    LeaderElector elector =
        new LeaderElector(
            client,
            election.lease(),
            election.identity(),
            election.timing(),
            terms,
            options.pacing(),
            options.clock());
    elector.start();
    return new Controllers(terms, elector);
  }

  /// Whether this process is the one that works.
  public boolean leading() {
    return terms.leading();
  }

  /// Whether it works on a complete picture: every informer has had its first state.
  public boolean working() {
    RunningControllers running = terms.running();
    return running != null && running.haveSynced();
  }

  /// Why pods that a Service selects, or nearly selects, are no ready endpoints of it; see
  /// [io.fairlead.controller.servicestatus.ReasonsDocument] for what the document holds.
  ///
  /// @param namespace empty for all; then the Service must be empty too
  /// @param service empty for all of the namespace
  /// @throws ApiException 503 where it is not known: this process does not lead, has not seen the
  ///   whole picture yet, or runs no endpoint controller; 404 when there is no such Service; 400
  public ObjectNode reasons(String namespace, String service) {
    if (namespace.isEmpty() && !service.isEmpty()) {
      throw ApiException.badRequest("a service needs its namespace: ?namespace=NS&service=NAME");
    }
    RunningControllers running = terms.running();
    if (running == null) {
      throw unknown("another process leads: ask that one");
    }
    if (!running.haveSynced()) {
      throw unknown("the objects have not all been read yet: ask again");
    }
    return running
        .reasons(namespace, service)
        .orElseThrow(() -> unknown("no endpoint controller runs here: see --controllers"));
  }

  /// What the controllers recorded of endpoints; empty where this process does not lead, or runs no
  /// controller of slices.
  public Optional<ChangeRing> changes() {
    RunningControllers running = terms.running();
    return running == null ? Optional.empty() : running.changes();
  }

  private static ApiException unknown(String why) {
    return new ApiException(Status.of(503, "ServiceUnavailable", why));
  }

  /// What the controllers count, for `/metrics`.
  public MetricSnapshots metrics() {
    RunningControllers running = terms.running();
    List<MetricSnapshot> all = new ArrayList<>();
    all.add(
        GaugeSnapshot.builder()
            .name("leader_election_master_status")
            .help("Whether this process leads.")
            .dataPoint(
                GaugeDataPointSnapshot.builder()
                    .labels(Labels.of("name", Election.STANDARD_LEASE.name()))
                    .value(leading() ? 1 : 0)
                    .build())
            .build());
    if (running != null) {
      running.metrics().forEach(all::add);
    }
    return new MetricSnapshots(all);
  }

  /// Stops all, waits for their threads, and lets the next process lead. Idempotent.
  @Override
  public void close() {
    if (elector == null) {
      terms.stopped();
    } else {
      elector.close();
    }
  }
}
