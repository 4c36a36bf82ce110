package io.fairlead.server.controlplane;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.server.cache.ObjectCodec;
import io.fairlead.store.CommitResult;
import io.fairlead.store.Range;
import io.fairlead.store.Store;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.Write;
import java.util.List;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Which API servers on one store are alive. Each keeps a key with its address that goes by itself
/// when it is not renewed in time, so a server that dies without a word is soon left out. On a
/// store that no other server can use there is one server, and nothing is written.
///
/// The key holds an Endpoints object with the one address, as a kube-apiserver writes and expects
/// it, so that both may serve one cluster while one takes over from the other.
final class ServerLeases {
  private static final Logger log = LoggerFactory.getLogger(ServerLeases.class);
  private static final String KEYS = "/registry/masterleases/";
  private static final long SECONDS = 15;

  private final Store store;
  private final IpAddress address;
  private final int port;

  ServerLeases(Store store, IpAddress address, int port) {
    this.store = store;
    this.address = address;
    this.port = port;
  }

  /// Says that this server is alive.
  void renew() {
    if (!store.isShared()) {
      return;
    }
    byte[] value = ObjectCodec.encode(endpoints());
    CommitResult outcome =
        store.commit(List.of(new Write.Put(key(), new Write.Value(value), Write.ANY, SECONDS)));
    if (!(outcome instanceof CommitResult.Committed)) {
      log.atWarn().addKeyValue("outcome", outcome).log("the lease of this server was not renewed");
    }
  }

  /// Says that this server is going.
  void release() {
    if (store.isShared()) {
      CommitResult unused = store.commit(List.of(new Write.Delete(key(), Write.ANY)));
    }
  }

  /// The addresses of those that are alive, in order. One Service has one port: servers that listen
  /// on another port than the first one are left out.
  List<IpAddress> alive() {
    if (!store.isShared()) {
      return List.of(address);
    }
    TreeMap<IpAddress, Integer> found = new TreeMap<>();
    for (StoreEntry entry : store.range(new Range(KEYS, "", 0, store.revision())).entries()) {
      JsonNode lease = ObjectCodec.decode(entry.value()).path("subsets").path(0);
      IpAddress one =
          IpAddress.parseOrNull(lease.path("addresses").path(0).path("ip").asString(""));
      if (one != null) {
        // A kube-apiserver does not say its port.
        found.put(one, lease.path("ports").path(0).path("port").asInt(port));
      }
    }
    if (!found.isEmpty()) {
      int common = found.firstEntry().getValue();
      found.values().removeIf(other -> other != common);
    }
    return List.copyOf(found.keySet());
  }

  private ObjectNode endpoints() {
    ObjectNode endpoints = Json.object().put("kind", "Endpoints").put("apiVersion", "v1");
    endpoints.putObject("metadata").put("name", address.toString());
    ObjectNode subset = endpoints.putArray("subsets").addObject();
    subset.putArray("addresses").addObject().put("ip", address.toString());
    subset.putArray("ports").addObject().put("port", port);
    return endpoints;
  }

  private String key() {
    return KEYS + address;
  }
}
