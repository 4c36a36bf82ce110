package io.fairlead.controller.loadbalancer;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.loadbalancer.LoadBalancerPools.RefusedPool;
import io.fairlead.api.loadbalancer.LoadBalancerPools.ReservedRange;
import io.fairlead.api.loadbalancer.PoolFileReader;
import io.fairlead.api.loadbalancer.PoolRange;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.controller.runtime.ControllerContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The pools of this moment: those of the command line and of the ConfigMap, without those that
/// hold an address of the cluster itself.
///
/// A ConfigMap that cannot be read leaves the last good one in force. Owned by one worker.
final class LoadBalancerPoolSource implements AutoCloseable {
  static final ObjectKey CONFIG_MAP = new ObjectKey("kube-system", "fairlead-load-balancer");
  static final String FILE = "pools.yaml";

  private static final String REFUSED = "PoolRefused";
  private static final String CONTESTED = "AddressContested";

  private static final Logger log = LoggerFactory.getLogger(LoadBalancerPoolSource.class);

  private final Client client;
  private final EventRecorder events;
  private final LoadBalancerOptions options;
  private final Informer<ServedNode> nodes;
  private final Informer<ApiObject> configMaps;
  private LoadBalancerPools file = LoadBalancerPools.NONE;
  private Set<String> reported = Set.of();
  private List<ReservedRange> contested = List.of();

  LoadBalancerPoolSource(
      ControllerContext wiring, EventRecorder events, LoadBalancerOptions options) {
    this.client = wiring.client();
    this.events = events;
    this.options = options;
    this.nodes = wiring.informers().of(ServedNode.KIND);
    this.configMaps =
        new Informer<>(
            ListWatchFactory.objectsByField(
                client,
                ResourceType.CONFIG_MAPS,
                CONFIG_MAP.namespace(),
                "metadata.name=" + CONFIG_MAP.name()),
            ApiObject::of,
            wiring.pacing());
  }

  List<Informer<?>> needs() {
    return List.of(nodes, configMaps);
  }

  Informer<ApiObject> configMaps() {
    return configMaps;
  }

  /// Begins to follow the ConfigMap.
  ///
  /// @param changed called when pools may have changed, by any thread
  void start(Runnable changed) {
    configMaps.onChange(new io.fairlead.controller.runtime.EachChange<>(_ -> changed.run()));
    nodes.onChange(new NodeChanges(changed));
    configMaps.start();
  }

  @Override
  public void close() {
    configMaps.close();
  }

  List<ServedNode> nodes() {
    return nodes.list();
  }

  /// What nodes say is theirs of pools that were in force before: not to be given to Services.
  List<ReservedRange> contested() {
    return contested;
  }

  /// Reads everything again. Asks the server for what is not followed: ServiceCIDRs and the
  /// addresses of API servers.
  ///
  /// @param before the pools in force, which no node can end by what it reports
  LoadBalancerPools read(LoadBalancerPools before) {
    Optional<ApiObject> map = configMaps.get(CONFIG_MAP);
    Map<String, String> problems = new LinkedHashMap<>();
    try {
      file =
          map.map(object -> PoolFileReader.read(Json.textOr(object.body(), "", "data", FILE)))
              .orElse(LoadBalancerPools.NONE);
    } catch (DecodeException e) {
      problems.put(e.getMessage() + "; the pools stay as they were (FL406)", REFUSED);
    }
    for (String name : options.pools().namesAlsoIn(file)) {
      log.atWarn().addKeyValue("pool", name).log("the ConfigMap's pool replaces that of the flag");
    }
    LoadBalancerPools all = options.pools().with(file);
    LoadBalancerPools checked = all;
    if (!all.isEmpty()) {
      List<ReservedRange> ofNodes = new ArrayList<>();
      nodes.list().forEach(node -> ofNodes.addAll(node.reserved()));
      checked = all.withKnownPeers().checked(reserved(), ofNodes, before);
      contested = contested(ofNodes, checked, problems);
    }
    for (RefusedPool refused : checked.refused()) {
      problems.put(refused + " (FL406)", REFUSED);
    }
    report(problems, map);
    return checked;
  }

  private static List<ReservedRange> contested(
      List<ReservedRange> ofNodes, LoadBalancerPools pools, Map<String, String> problems) {
    List<ReservedRange> contested = new ArrayList<>();
    for (ReservedRange one : ofNodes) {
      pools
          .overlapping(one.range())
          .ifPresent(
              pool -> {
                contested.add(one);
                problems.put(
                    "pool %s: %s came later and belongs to %s: no other Service gets it (FL406)"
                        .formatted(pool.name(), one.range(), one.owner()),
                    CONTESTED);
              });
    }
    return List.copyOf(contested);
  }

  /// @param problems with the reason of the event for each
  private void report(Map<String, String> problems, Optional<ApiObject> map) {
    problems.forEach(
        (problem, reason) -> {
          if (!reported.contains(problem)) {
            log.atWarn().addKeyValue("why", problem).log("load balancer addresses cannot be used");
            map.ifPresent(
                object ->
                    events.record(
                        ObjectEvent.warning(
                            new ObjectRef(
                                ResourceType.CONFIG_MAPS, CONFIG_MAP, object.metadata().uid()),
                            reason,
                            problem)));
          }
        });
    reported = Set.copyOf(problems.keySet());
  }

  private List<ReservedRange> reserved() {
    List<ReservedRange> reserved = new ArrayList<>(options.reserved());
    try {
      client.listAll(
          ResourceType.SERVICE_CIDRS,
          "",
          ListOptions.ALL,
          object -> {
            for (JsonNode one : object.at("/spec/cidrs")) {
              Cidr range = Cidr.parseOrNull(one.asString(""));
              if (range != null) {
                reserved.add(new ReservedRange(PoolRange.of(range), "the range of Services"));
              }
            }
          });
    } catch (ApiException e) {
      // Clusters before 1.29 have no such kind.
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
    }
    Optional<ObjectNode> servers;
    try {
      servers = client.find(ResourceType.ENDPOINTS, new ObjectKey("default", "kubernetes"));
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
      servers = Optional.empty();
    }
    servers.ifPresent(object -> addServers(object, reserved));
    return reserved;
  }

  private static void addServers(ObjectNode endpoints, List<ReservedRange> reserved) {
    for (JsonNode subset : endpoints.path("subsets")) {
      for (JsonNode one : subset.path("addresses")) {
        IpAddress address = IpAddress.parseOrNull(Json.textOr(one, "", "ip"));
        if (address != null) {
          reserved.add(new ReservedRange(PoolRange.of(address), "an API server"));
        }
      }
    }
  }

  /// Tells of nodes whose addresses changed, not of their heartbeats.
  private record NodeChanges(Runnable changed)
      implements io.fairlead.client.informer.ChangeHandler<ServedNode> {
    @Override
    public void added(ServedNode node, boolean initial) {
      changed.run();
    }

    @Override
    public void updated(ServedNode old, ServedNode now) {
      if (!old.saysTheSameAs(now)) {
        changed.run();
      }
    }

    @Override
    public void deleted(ServedNode last, boolean finalStateUnknown) {
      changed.run();
    }
  }
}
