package io.fairlead.controller;

import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/// In whose name each controller writes.
public final class ControllerAccounts {
  private static final String NAMESPACE = "kube-system";

  /// Controllers whose account has another name than they have today; that of the roles which every
  /// cluster has for them.
  private static final Map<String, String> ACCOUNTS =
      Map.ofEntries(
          Map.entry("endpoints-controller", "endpoint-controller"),
          Map.entry("endpointslice-mirroring-controller", "endpointslicemirroring-controller"),
          Map.entry("serviceaccount-controller", "service-account-controller"),
          Map.entry(ControllerRegistry.ROOT_CA, "root-ca-cert-publisher"),
          Map.entry("service-cidr-controller", "service-cidrs-controller"),
          Map.entry("service-condition-controller", "service-controller"),
          Map.entry("service-lb-controller", "service-controller"),
          Map.entry("daemonset-controller", "daemon-set-controller"),
          Map.entry("replicationcontroller-controller", "replication-controller"),
          Map.entry("persistentvolume-binder-controller", "persistent-volume-binder"),
          Map.entry("persistentvolumeclaim-protection-controller", "pvc-protection-controller"),
          Map.entry("persistentvolume-protection-controller", "pv-protection-controller"),
          Map.entry("node-lifecycle-controller", "node-controller"),
          Map.entry("taint-eviction-controller", "node-controller"),
          Map.entry("node-ipam-controller", "node-controller"),
          Map.entry("pod-garbage-collector-controller", "pod-garbage-collector"),
          Map.entry("garbage-collector-controller", "generic-garbage-collector"));

  private final Function<String, Client> clients;

  private ControllerAccounts(Function<String, Client> clients) {
    this.clients = clients;
  }

  /// All in the same name.
  public static ControllerAccounts all(Client client) {
    return new ControllerAccounts(_ -> client);
  }

  /// Each in the name of its service account. The scheduler, which has none, writes as `client`.
  ///
  /// @param of makes the client of an account
  public static ControllerAccounts each(Client client, Function<ObjectKey, Client> of) {
    Map<String, Client> made = new HashMap<>();
    return new ControllerAccounts(
        name ->
            name.equals(ControllerRegistry.SCHEDULER)
                ? client
                : made.computeIfAbsent(
                    ACCOUNTS.getOrDefault(name, name),
                    account -> of.apply(new ObjectKey(NAMESPACE, account))));
  }

  /// The client that a controller writes with.
  ///
  /// @param name of the controller, as `--controllers` knows it
  Client client(String name) {
    return clients.apply(name);
  }
}
