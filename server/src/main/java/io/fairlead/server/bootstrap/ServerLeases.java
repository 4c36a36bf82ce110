package io.fairlead.server.bootstrap;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.store.Entry;
import io.fairlead.store.Outcome;
import io.fairlead.store.Range;
import io.fairlead.store.Store;
import io.fairlead.store.Write;
import java.util.List;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// Which API servers on one store are alive. Each keeps a key with its address that goes by itself
/// when it is not renewed in time, so a server that dies without a word is soon left out. On a
/// store that nobody else can use there is one server, and nothing is written.
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
    byte[] value = Json.bytes(Json.object().put("ip", address.toString()).put("port", port));
    Outcome outcome =
        store.commit(List.of(new Write.Put(key(), new Write.Value(value), Write.ANY, SECONDS)));
    if (!(outcome instanceof Outcome.Committed)) {
      log.atWarn().addKeyValue("outcome", outcome).log("the lease of this server was not renewed");
    }
  }

  /// Says that this server is going.
  void release() {
    if (store.isShared()) {
      Outcome unused = store.commit(List.of(new Write.Delete(key(), Write.ANY)));
    }
  }

  /// The addresses of those that are alive, in order. One Service has one port: servers that listen
  /// on another port than the first one are left out.
  List<IpAddress> alive() {
    if (!store.isShared()) {
      return List.of(address);
    }
    TreeMap<IpAddress, Integer> found = new TreeMap<>();
    for (Entry entry : store.range(new Range(KEYS, "", 0, store.revision())).entries()) {
      JsonNode lease = Json.parse(entry.value());
      IpAddress one = IpAddress.parseOrNull(Json.textOr(lease, "", "ip"));
      if (one != null) {
        found.put(one, lease.path("port").asInt(0));
      }
    }
    if (!found.isEmpty()) {
      int common = found.firstEntry().getValue();
      found.values().removeIf(other -> other != common);
    }
    return List.copyOf(found.keySet());
  }

  private String key() {
    return KEYS + address;
  }
}
