package io.fairlead.proxy.announce;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.loadbalancer.PoolFileReader;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The pools in force, as the controller that allocates addresses has published them. What cannot
/// be read, or is gone, leaves the last ones: an address that is announced stays so.
final class AnnouncedPools implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AnnouncedPools.class);

  private final Informer<ApiObject> configMaps;
  private volatile LoadBalancerPools pools = LoadBalancerPools.NONE;
  private volatile boolean known;

  AnnouncedPools(Client client, TimingSources pacing, Runnable changed) {
    this.configMaps =
        new Informer<>(
            ListWatchFactory.objectsByField(
                client,
                ResourceType.CONFIG_MAPS,
                LoadBalancerPools.PUBLISHED_NAMESPACE,
                "metadata.name=" + LoadBalancerPools.PUBLISHED_NAME),
            ApiObject::of,
            pacing);
    configMaps.onChange(
        ChangeHandler.of(
            map -> {
              read(map);
              changed.run();
            },
            _ -> {}));
  }

  void start() {
    configMaps.start();
  }

  private void read(ApiObject map) {
    try {
      pools =
          PoolFileReader.read(
              Json.textOr(map.body(), "", "data", LoadBalancerPools.PUBLISHED_FILE));
      known = true;
    } catch (DecodeException e) {
      log.atWarn()
          .addKeyValue("why", e.getMessage())
          .log("the published pools cannot be read; those before stay in force");
    }
  }

  /// Whether they were ever read.
  boolean areKnown() {
    return known;
  }

  /// The same object while nothing changes.
  LoadBalancerPools now() {
    return pools;
  }

  @Override
  public void close() {
    configMaps.close();
  }
}
