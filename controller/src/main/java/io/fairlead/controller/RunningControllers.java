package io.fairlead.controller;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.controller.endpointslice.EndpointRecorder;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.servicestatus.ReasonsDocument;
import io.fairlead.controller.serving.Service;
import io.fairlead.controller.serving.ServicePodInformer;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// The controllers of one term: made, started and stopped together.
final class RunningControllers implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RunningControllers.class);

  private final ControllerContext wiring;
  private final List<Controller> controllers = new ArrayList<>();
  // Written once, before this object is handed out.
  private Optional<ReasonsDocument> reasons = Optional.empty();

  private RunningControllers(ControllerContext wiring) {
    this.wiring = wiring;
  }

  /// Starts all that the options ask for. Throws, with nothing left running, when the server cannot
  /// be asked what it serves.
  static RunningControllers start(
      Client client, ControllerAccounts accounts, Controllers.Options options) {
    RunningControllers running =
        new RunningControllers(new ControllerContext(client, options.pacing(), options.clock()));
    try {
      for (ControllerRegistry.Descriptor entry : ControllerRegistry.ALL) {
        if (options.list().enables(entry.name(), entry.standard())
            && !lacksRootCa(entry, options)) {
          running.controllers.add(
              entry.make().apply(running.wiring.with(accounts.client(entry.name())), options));
        }
      }
      running.reasons =
          running
              .wiring
              .ifShared(ServicePodInformer.class)
              .map(ServicePodInformer::catalog)
              .map(ReasonsDocument::new);
      WorkQueueMetrics.register(running.controllers, running.wiring.metrics());
      running.controllers.forEach(Controller::start);
      running.wiring.informers().start();
      return running;
    } catch (RuntimeException e) {
      running.close();
      throw e;
    }
  }

  /// Without a certificate there is nothing to publish.
  private static boolean lacksRootCa(
      ControllerRegistry.Descriptor entry, Controllers.Options options) {
    boolean lacks = entry.name().equals(ControllerRegistry.ROOT_CA) && options.rootCa().isEmpty();
    if (lacks) {
      log.atWarn().addKeyValue("controller", entry.name()).log("not run: no root CA is known");
    }
    return lacks;
  }

  /// Whether every controller has the state it decides on.
  boolean haveSynced() {
    return wiring.informers().haveSynced();
  }

  /// Why pods are no endpoints; empty when no endpoint controller runs.
  Optional<ObjectNode> reasons(String namespace, String service) {
    return reasons.map(
        document ->
            service.isEmpty()
                ? document.of(services(namespace))
                : document.of(new ObjectKey(namespace, service)));
  }

  private List<Service> services(String namespace) {
    return wiring.informers().of(ServicePodInformer.SERVICES).list().stream()
        .filter(one -> namespace.isEmpty() || one.key().namespace().equals(namespace))
        .toList();
  }

  /// What was recorded of endpoints; empty when no controller of slices runs.
  Optional<ChangeRing> changes() {
    return wiring.ifShared(EndpointRecorder.class).map(EndpointRecorder::ring);
  }

  MetricSnapshots metrics() {
    return wiring.metrics().scrape();
  }

  @Override
  public void close() {
    controllers.reversed().forEach(Controller::close);
    wiring.close();
  }
}
