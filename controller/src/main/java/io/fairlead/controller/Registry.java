package io.fairlead.controller;

import io.fairlead.client.ApiObject;
import io.fairlead.client.Discovery;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.aggregation.AggregationController;
import io.fairlead.controller.endpoints.EndpointsController;
import io.fairlead.controller.endpointslice.EndpointSliceController;
import io.fairlead.controller.garbage.GarbageCollector;
import io.fairlead.controller.mirroring.MirroringController;
import io.fairlead.controller.namespace.NamespaceController;
import io.fairlead.controller.rootca.RootCaController;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.runtime.Wiring;
import io.fairlead.controller.serviceaccount.ServiceAccountController;
import io.fairlead.controller.servicecidr.ServiceCidrController;
import io.fairlead.controller.servicecondition.ServiceConditionController;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/// Every controller there is, by the name `--controllers` knows it by. Names are those of
/// kube-controller-manager, but for `service-condition-controller`, which only we have. A new
/// controller is one line here.
final class Registry {
  /// @param name of today, `endpoints-controller`
  /// @param alias the name before Kubernetes 1.28, `endpoint`; still understood
  /// @param make asks for the informers it needs; starts nothing
  record Entry(
      String name, String alias, BiFunction<Wiring, Controllers.Options, Controller> make) {}

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
