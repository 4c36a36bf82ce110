package io.fairlead.controller;

import io.fairlead.client.ApiObject;
import io.fairlead.client.Discovery;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.auth.ClusterRoleAggregationController;
import io.fairlead.controller.auth.RootCaController;
import io.fairlead.controller.auth.ServiceAccountController;
import io.fairlead.controller.cronjob.CronJobController;
import io.fairlead.controller.daemonset.DaemonSetController;
import io.fairlead.controller.deployment.DeploymentController;
import io.fairlead.controller.disruption.DisruptionController;
import io.fairlead.controller.endpoints.EndpointsController;
import io.fairlead.controller.endpointslice.EndpointSliceController;
import io.fairlead.controller.garbage.GarbageCollector;
import io.fairlead.controller.garbage.PodGarbageController;
import io.fairlead.controller.job.JobController;
import io.fairlead.controller.loadbalancer.ServiceLoadBalancerController;
import io.fairlead.controller.mirroring.MirroringController;
import io.fairlead.controller.namespace.NamespaceController;
import io.fairlead.controller.node.NodeLifecycleController;
import io.fairlead.controller.node.TaintEvictionController;
import io.fairlead.controller.nodeipam.NodeIpamController;
import io.fairlead.controller.quota.ResourceQuotaController;
import io.fairlead.controller.replicaset.ReplicaSetController;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.scheduler.Scheduler;
import io.fairlead.controller.servicecidr.ServiceCidrController;
import io.fairlead.controller.servicestatus.ServiceConditionController;
import io.fairlead.controller.statefulset.StatefulSetController;
import io.fairlead.controller.volume.ClaimProtectionController;
import io.fairlead.controller.volume.PersistentVolumeController;
import io.fairlead.controller.volume.VolumeProtectionController;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/// Every controller there is, by the name `--controllers` knows it by. Names are those of
/// kube-controller-manager, but for `service-condition-controller`, which only we have, and
/// `scheduler`, which is a program of its own there. A new controller is one line here.
final class ControllerRegistry {
  /// @param name of today, `endpoints-controller`
  /// @param alias the name before Kubernetes 1.28, `endpoint`; still understood
  /// @param standard whether it is on by default
  /// @param make asks for the informers it needs; starts nothing
  record Descriptor(
      String name,
      String alias,
      boolean standard,
      BiFunction<ControllerContext, Controllers.Options, Controller> make) {
    Descriptor(
        String name,
        String alias,
        BiFunction<ControllerContext, Controllers.Options, Controller> make) {
      this(name, alias, true, make);
    }
  }

  /// How many objects of a kind are worked on at once.
  private static final int SYNCS = 5;

  /// Each waits for the server's disk, which takes many writes at once.
  private static final int BALANCER_SYNCS = 32;

  private static final int DAEMON_SYNCS = 2;

  /// Not on by default: beside a cluster's own scheduler a second one would only compete.
  static final String SCHEDULER = "scheduler";

  static final String ROOT_CA = "root-ca-certificate-publisher-controller";

  private static final InformerKind<ApiObject> NAMESPACES =
      InformerKind.of(ResourceType.NAMESPACES, ApiObject::of);

  /// In the order they are started in.
  static final List<Descriptor> ALL =
      List.of(
          new Descriptor(
              "serviceaccount-controller",
              "serviceaccount",
              (wiring, _) ->
                  ServiceAccountController.of(
                      wiring.client(), wiring.informers().of(NAMESPACES), wiring.pacing())),
          new Descriptor(
              ROOT_CA,
              "root-ca-cert-publisher",
              (wiring, options) ->
                  RootCaController.of(
                      wiring.client(),
                      options.rootCa(),
                      wiring.informers().of(NAMESPACES),
                      wiring.pacing())),
          new Descriptor(
              "namespace-controller",
              "namespace",
              (wiring, options) ->
                  new NamespaceController(
                      wiring.client(),
                      wiring.informers().of(NAMESPACES),
                      options.namespaceSettle(),
                      wiring.clock(),
                      wiring.pacing())),
          new Descriptor(
              "endpoints-controller",
              "endpoint",
              (wiring, options) ->
                  new EndpointsController(
                      wiring,
                      options.endpoints().endpointSyncs(),
                      options.endpoints().endpointBatchPeriod())),
          new Descriptor(
              "endpointslice-mirroring-controller",
              "endpointslicemirroring",
              (wiring, options) ->
                  new MirroringController(wiring, options.endpoints().mirroring())),
          new Descriptor(
              "service-cidr-controller",
              "servicecidr",
              (wiring, _) ->
                  new ServiceCidrController(wiring.client(), wiring.clock(), wiring.pacing())),
          new Descriptor(
              "clusterrole-aggregation-controller",
              "clusterrole-aggregation",
              (wiring, _) ->
                  new ClusterRoleAggregationController(wiring.client(), wiring.pacing())),
          new Descriptor(
              "endpointslice-controller",
              "endpointslice",
              (wiring, options) ->
                  new EndpointSliceController(wiring, options.endpoints().slices())),
          new Descriptor(
              "service-condition-controller",
              "servicecondition",
              (wiring, _) -> new ServiceConditionController(wiring)),
          new Descriptor(
              ServiceLoadBalancerController.NAME,
              "service",
              (wiring, options) ->
                  new ServiceLoadBalancerController(
                      wiring, options.loadBalancers(), BALANCER_SYNCS)),
          new Descriptor(
              "deployment-controller",
              "deployment",
              (wiring, _) -> new DeploymentController(wiring, SYNCS)),
          new Descriptor(
              "replicaset-controller",
              "replicaset",
              (wiring, _) -> new ReplicaSetController(wiring, SYNCS)),
          new Descriptor(
              "statefulset-controller",
              "statefulset",
              (wiring, _) -> new StatefulSetController(wiring, SYNCS)),
          new Descriptor(
              "daemonset-controller",
              "daemonset",
              (wiring, _) -> new DaemonSetController(wiring, DAEMON_SYNCS)),
          new Descriptor(
              "replicationcontroller-controller",
              "replicationcontroller",
              (wiring, _) -> ReplicaSetController.ofReplicationControllers(wiring, SYNCS)),
          new Descriptor(
              "cronjob-controller", "cronjob", (wiring, _) -> new CronJobController(wiring, SYNCS)),
          new Descriptor(
              "resourcequota-controller",
              "resourcequota",
              (wiring, _) -> new ResourceQuotaController(wiring, SYNCS)),
          new Descriptor(
              "persistentvolume-binder-controller",
              "persistentvolume-binder",
              (wiring, _) -> new PersistentVolumeController(wiring, 1)),
          new Descriptor(
              "persistentvolumeclaim-protection-controller",
              "pvc-protection",
              (wiring, _) -> new ClaimProtectionController(wiring, 1)),
          new Descriptor(
              "persistentvolume-protection-controller",
              "pv-protection",
              (wiring, _) -> new VolumeProtectionController(wiring, 1)),
          new Descriptor(
              "disruption-controller",
              "disruption",
              (wiring, _) -> new DisruptionController(wiring, 1)),
          new Descriptor("job-controller", "job", (wiring, _) -> new JobController(wiring, SYNCS)),
          new Descriptor(
              "node-lifecycle-controller",
              "nodelifecycle",
              (wiring, options) -> new NodeLifecycleController(wiring, options.nodes().grace(), 1)),
          new Descriptor(
              "taint-eviction-controller",
              "taint-eviction",
              (wiring, _) -> new TaintEvictionController(wiring, SYNCS)),
          new Descriptor(
              "node-ipam-controller",
              "nodeipam",
              (wiring, options) -> new NodeIpamController(wiring, options.nodes().ranges(), 1)),
          new Descriptor(
              "pod-garbage-collector-controller",
              "podgc",
              (wiring, _) -> new PodGarbageController(wiring, 1)),
          new Descriptor(
              SCHEDULER, "kube-scheduler", false, (wiring, _) -> new Scheduler(wiring, 1)),
          new Descriptor(
              "garbage-collector-controller",
              "garbagecollector",
              (wiring, _) ->
                  new GarbageCollector(
                      wiring.client(),
                      Discovery.of(wiring.client()),
                      wiring.events("garbage-collector-controller"),
                      wiring.pacing())));

  private ControllerRegistry() {}

  static List<String> names() {
    return ALL.stream().map(Descriptor::name).sorted().toList();
  }

  /// Old name to name of today.
  static Map<String, String> aliases() {
    return ALL.stream().collect(Collectors.toMap(Descriptor::alias, Descriptor::name));
  }
}
