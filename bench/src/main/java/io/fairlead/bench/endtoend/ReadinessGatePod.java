package io.fairlead.bench.endtoend;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import tools.jackson.databind.node.ObjectNode;

/// A pod that becomes ready and unready by a word: its readiness gate is opened and shut in the
/// API. A Service leads to it alone.
public final class ReadinessGatePod {
  private static final ObjectKey NAME = new ObjectKey("default", "gated");
  private static final InetSocketAddress SERVICE =
      new InetSocketAddress(InetAddress.ofLiteral("10.96.0.30"), 80);

  private final Client client;
  private final NetworkNamespace from;

  public ReadinessGatePod(Client client, NetworkNamespace from) {
    this.client = client;
    this.from = from;
  }

  public void create() {
    client.create(
        ResourceType.SERVICES,
        NAME.namespace(),
        parse(
            """
            kind: Service
            apiVersion: v1
            metadata: {name: gated}
            spec:
              clusterIP: 10.96.0.30
              selector: {app: gated}
              ports: [{port: 80, targetPort: 9376}]
            """));
    client.create(
        ResourceType.PODS,
        NAME.namespace(),
        parse(
            """
            kind: Pod
            apiVersion: v1
            metadata: {name: gated, labels: {app: gated}}
            spec:
              terminationGracePeriodSeconds: 1
              readinessGates: [{conditionType: example.com/open}]
              containers: [{name: gated, image: fairlead.dev/hostnames}]
            """));
    set(true);
    ConnectProbe.await(from, SERVICE, true);
  }

  public void delete() {
    client.delete(ResourceType.SERVICES, NAME, DeleteOptions.DEFAULT);
    client.delete(ResourceType.PODS, NAME, DeleteOptions.DEFAULT);
  }

  /// Opens or shuts it, and waits until the client sees that.
  ///
  /// @return from the API's answer to the first packet that follows it, in milliseconds
  public double turn(boolean open) {
    long start = set(open);
    return Math.max(0, ConnectProbe.await(from, SERVICE, open) - start) / 1e6;
  }

  private long set(boolean open) {
    client.patch(
        ResourceType.PODS,
        NAME,
        "status",
        PatchType.STRATEGIC,
        parse(
            "status: {conditions: [{type: example.com/open, status: \"%s\"}]}"
                .formatted(open ? "True" : "False")));
    return System.nanoTime();
  }

  private static ObjectNode parse(String yaml) {
    return (ObjectNode) Yaml.parse(yaml);
  }
}
