package io.fairlead.bench.loadbalancer;

import io.fairlead.api.json.Json;
import io.fairlead.bench.endtoend.SimpleInformer;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// Which Services have addresses; no two may have the same.
final class AddressWatcher implements AutoCloseable, SimpleInformer.Listener {
  // Guarded by the lock of what follows.
  private final Map<String, String> byService = new HashMap<>();
  private final Map<String, String> byAddress = new HashMap<>();
  private int writes;
  private final SimpleInformer following;

  AddressWatcher(Client client) {
    following = new SimpleInformer(client, ResourceType.SERVICES, this);
  }

  @Override
  public void seen(ObjectNode object, boolean initial) {
    writes++;
    String name = Json.textOr(object, "", "metadata", "name");
    String address = object.at("/status/loadBalancer/ingress/0/ip").asString("");
    if (!address.isEmpty()) {
      byService.put(name, address);
      String other = byAddress.put(address, name);
      if (other != null && !other.equals(name)) {
        throw new IllegalStateException(address + " was given to " + other + " and " + name);
      }
    }
  }

  @Override
  public void removed(ObjectNode object) {}

  int count() {
    return following.read(byService::size);
  }

  int writes() {
    return following.read(() -> writes);
  }

  void await(String service) throws InterruptedException {
    following.await(() -> byService.containsKey(service), service, this::shown);
  }

  void await(int services) throws InterruptedException {
    following.await(() -> byService.size() >= services, services + " addresses", this::shown);
  }

  private String shown() {
    return byService.size() + " addresses";
  }

  @Override
  public void close() {
    following.close();
  }
}
