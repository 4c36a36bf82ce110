package io.fairlead.controller.loadbalancer;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.loadbalancer.PoolFileReader;
import io.fairlead.api.loadbalancer.PoolFileWriter;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Tells the announcers on nodes which pools are in force: a ConfigMap `kube-public/
/// fairlead-load-balancer`. Pools stand on command lines, too, which nodes do not see, and a
/// refused pool must be announced nowhere. Nothing is written while there was never a pool. Owned
/// by one worker.
final class PublishedPools {
  private static final Logger log = LoggerFactory.getLogger(PublishedPools.class);
  private static final int FORBIDDEN = 403;
  private static final ObjectKey KEY =
      new ObjectKey(LoadBalancerPools.PUBLISHED_NAMESPACE, LoadBalancerPools.PUBLISHED_NAME);

  private final Client client;
  // Null until it was looked at.
  private @Nullable String published;
  // Null until the first pools of this process.
  private @Nullable LoadBalancerPools own;

  PublishedPools(Client client) {
    this.client = client;
  }

  /// The pools that were last in force, also those of the process before this one.
  LoadBalancerPools inForce() {
    try {
      return own == null ? PoolFileReader.read(published()) : own;
    } catch (DecodeException _) {
      // Written by hand: announcers do not follow it either.
      return LoadBalancerPools.NONE;
    }
  }

  private String published() {
    if (published == null) {
      try {
        published =
            client
                .find(ResourceType.CONFIG_MAPS, KEY)
                .map(map -> Json.textOr(map, "", "data", LoadBalancerPools.PUBLISHED_FILE))
                .orElse("");
      } catch (ApiException e) {
        if (e.status().code() != FORBIDDEN) {
          throw e;
        }
        // In a cluster of others: addresses are given out all the same.
        published = "";
      }
    }
    return published;
  }

  /// @return whether nodes can know them; otherwise it is to be tried again
  boolean publish(LoadBalancerPools pools) {
    own = pools;
    String text = PoolFileWriter.write(pools);
    if (text.equals(published()) || (published().isEmpty() && pools.usable().isEmpty())) {
      return true;
    }
    ObjectNode map = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
    map.putObject("metadata").put("namespace", KEY.namespace()).put("name", KEY.name());
    map.putObject("data").put(LoadBalancerPools.PUBLISHED_FILE, text);
    try {
      try {
        client.patch(ResourceType.CONFIG_MAPS, KEY, PatchType.MERGE, map);
      } catch (ApiException e) {
        if (!ApiErrors.isNotFound(e)) {
          throw e;
        }
        client.create(ResourceType.CONFIG_MAPS, KEY.namespace(), map);
      }
      published = text;
      return true;
    } catch (ApiException e) {
      log.atWarn()
          .addKeyValue("configMap", KEY)
          .addKeyValue("why", e.getMessage())
          .log("the pools were not published: no node announces their addresses");
      return false;
    }
  }
}
