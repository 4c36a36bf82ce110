package io.fairlead.controller;

import io.fairlead.client.ApiObject;
import io.fairlead.client.Discovery;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.aggregation.AggregationController;
import io.fairlead.controller.daemonset.DaemonSetController;
import io.fairlead.controller.deployment.DeploymentController;
import io.fairlead.controller.endpoints.EndpointsController;
import io.fairlead.controller.endpointslice.EndpointSliceController;
import io.fairlead.controller.garbage.GarbageCollector;
import io.fairlead.controller.job.JobController;
import io.fairlead.controller.mirroring.MirroringController;
import io.fairlead.controller.namespace.NamespaceController;
import io.fairlead.controller.node.NodeLifecycleController;
import io.fairlead.controller.node.TaintEvictionController;
import io.fairlead.controller.nodeipam.NodeIpamController;
import io.fairlead.controller.podgc.PodGarbageController;
import io.fairlead.controller.replicaset.ReplicaSetController;
import io.fairlead.controller.rootca.RootCaController;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.runtime.Wiring;
import io.fairlead.controller.scheduler.Scheduler;
import io.fairlead.controller.serviceaccount.ServiceAccountController;
import io.fairlead.controller.servicecidr.ServiceCidrController;
import io.fairlead.controller.servicecondition.ServiceConditionController;
import io.fairlead.controller.statefulset.StatefulSetController;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/// Every controller there is, by the name `--controllers` knows it by. Names are those of
/// kube-controller-manager, but for `service-condition-controller`, which only we have, and
/// `scheduler`, which is a program of its own there. A new controller is one line here.
final class Registry {
  /// @param name of today, `endpoints-controller`
  /// @param alias the name before Kubernetes 1.28, `endpoint`; still understood
  /// @param standard whether it is on by default
  /// @param make asks for the informers it needs; starts nothing
  record Entry(
      String name,
      String alias,
      boolean standard,
      BiFunction<Wiring, Controllers.Options, Controller> make) {
    Entry(String name, String alias, BiFunction<Wiring, Controllers.Options, Controller> make) {
      this(name, alias, true, make);
    }
  }

  /// How many objects of a kind are worked on at once.
  private static final int SYNCS = 5;

  private static final int DAEMON_SYNCS = 2;

  /// Not on by default: beside a cluster's own scheduler a second one would only compete.
  static final String SCHEDULER = "scheduler";

  static final String ROOT_CA = "root-ca-certificate-publisher-controller";

  private static final InformerKind<ApiObject> NAMESPACES =
      InformerKind.of(ResourceType.NAMESPACES, ApiObject::of);

  /// In the order they are started in.
  static final List<Entry> ALL =
      List.of(
          new Entry(
              "serviceaccount-controller",
              "serviceaccount",
              (wiring, _) ->
                  ServiceAccountController.of(
                      wiring.client(), wiring.informers().of(NAMESPACES), wiring.pacing())),
          new Entry(
              ROOT_CA,
              "root-ca-cert-publisher",
              (wiring, options) ->
                  RootCaController.of(
                      wiring.client(),
                      options.rootCa(),
                      wiring.informers().of(NAMESPACES),
                      wiring.pacing())),
          new Entry(
              "namespace-controller",
              "namespace",
              (wiring, options) ->
                  new NamespaceController(
                      wiring.client(),
                      wiring.informers().of(NAMESPACES),
                      options.namespaceSettle(),
                      wiring.clock(),
                      wiring.pacing())),
          new Entry(
              "endpoints-controller",
              "endpoint",
              (wiring, options) ->
                  new EndpointsController(
                      wiring,
                      options.endpoints().endpointSyncs(),
                      options.endpoints().endpointBatchPeriod())),
          new Entry(
              "endpointslice-mirroring-controller",
              "endpointslicemirroring",
              (wiring, options) ->
                  new MirroringController(wiring, options.endpoints().mirroring())),
          new Entry(
              "service-cidr-controller",
              "servicecidr",
              (wiring, _) ->
                  new ServiceCidrController(wiring.client(), wiring.clock(), wiring.pacing())),
          new Entry(
              "clusterrole-aggregation-controller",
              "clusterrole-aggregation",
              (wiring, _) -> new AggregationController(wiring.client(), wiring.pacing())),
          new Entry(
              "endpointslice-controller",
              "endpointslice",
              (wiring, options) ->
                  new EndpointSliceController(wiring, options.endpoints().slices())),
          new Entry(
              "service-condition-controller",
              "servicecondition",
              (wiring, _) -> new ServiceConditionController(wiring)),
          new Entry(
              "deployment-controller",
              "deployment",
              (wiring, _) -> new DeploymentController(wiring, SYNCS)),
          new Entry(
              "replicaset-controller",
              "replicaset",
              (wiring, _) -> new ReplicaSetController(wiring, SYNCS)),
          new Entry(
              "statefulset-controller",
              "statefulset",
              (wiring, _) -> new StatefulSetController(wiring, SYNCS)),
          new Entry(
              "daemonset-controller",
              "daemonset",
              (wiring, _) -> new DaemonSetController(wiring, DAEMON_SYNCS)),
          new Entry("job-controller", "job", (wiring, _) -> new JobController(wiring, SYNCS)),
          new Entry(
              "node-lifecycle-controller",
              "nodelifecycle",
              (wiring, options) -> new NodeLifecycleController(wiring, options.nodes().grace(), 1)),
          new Entry(
              "taint-eviction-controller",
              "taint-eviction",
              (wiring, _) -> new TaintEvictionController(wiring, SYNCS)),
          new Entry(
              "node-ipam-controller",
              "nodeipam",
              (wiring, options) -> new NodeIpamController(wiring, options.nodes().ranges(), 1)),
          new Entry(
              "pod-garbage-collector-controller",
              "podgc",
              (wiring, _) -> new PodGarbageController(wiring, 1)),
          new Entry(SCHEDULER, "kube-scheduler", false, (wiring, _) -> new Scheduler(wiring, 1)),
          new Entry(
              "garbage-collector-controller",
              "garbagecollector",
              (wiring, _) ->
                  new GarbageCollector(
                      wiring.client(),
                      Discovery.of(wiring.client()),
                      wiring.events("garbage-collector-controller"),
                      wiring.pacing())));

  private Registry() {}

  static List<String> names() {
    return ALL.stream().map(Entry::name).sorted().toList();
  }

  /// Old name to name of today.
  static Map<String, String> aliases() {
    return ALL.stream().collect(Collectors.toMap(Entry::alias, Entry::name));
  }
}
