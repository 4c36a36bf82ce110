package io.fairlead.bench.endtoend;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A Deployment of pods that answer with their names, and the Service in front of it. Its pods
/// leave only when the proxies have let go of them; they have no preStop hook.
///
/// @param name of both
/// @param address the cluster IP
public record HostnameDeployment(Client client, String name, String address) {
  private static final String NAMESPACE = "default";
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final long GLANCE = TimeUnit.MILLISECONDS.toNanos(50);
  private static final String SERVICE =
      """
      kind: Service
      apiVersion: v1
      metadata: {name: %1$s}
      spec:
        clusterIP: %2$s
        selector: {app: %1$s}
        ports: [{port: 80, targetPort: 9376}]
      """;
  private static final String DEPLOYMENT =
      """
      kind: Deployment
      apiVersion: apps/v1
      metadata: {name: %1$s}
      spec:
        replicas: %2$d
        selector: {matchLabels: {app: %1$s}}
        template:
          metadata:
            labels: {app: %1$s}
            annotations: {fairlead.dev/drain: "true"}
          spec:
            terminationGracePeriodSeconds: 10
            containers:
            - name: web
              image: fairlead.dev/hostnames
              readinessProbe: {httpGet: {port: 9376, path: /healthz}, periodSeconds: 1}
      """;

  /// Makes both; does not wait.
  public void create(int replicas) {
    client.create(ResourceType.SERVICES, NAMESPACE, parse(SERVICE.formatted(name, address)));
    client.create(ResourceType.DEPLOYMENTS, NAMESPACE, parse(DEPLOYMENT.formatted(name, replicas)));
  }

  private static ObjectNode parse(String yaml) {
    return (ObjectNode) Yaml.parse(yaml);
  }

  private ObjectKey key() {
    return new ObjectKey(NAMESPACE, name);
  }

  /// As `kubectl rollout restart`: every pod is replaced. Does not wait.
  ///
  /// @param number another one each time
  public void restart(long number) {
    patch(
        """
        spec: {template: {metadata: {annotations: {kubectl.kubernetes.io/restartedAt: "%d"}}}}
        """
            .formatted(number));
  }

  public void scale(int replicas) {
    patch("spec: {replicas: %d}".formatted(replicas));
  }

  private void patch(String yaml) {
    client.patch(ResourceType.DEPLOYMENTS, key(), PatchType.MERGE, parse(yaml));
  }

  /// Waits until all pods are of the newest kind and ready, and the others are gone.
  public void awaitRolledOut() {
    await(name + " is rolled out", this::isRolledOut);
  }

  private boolean isRolledOut() {
    ObjectNode deployment = client.get(ResourceType.DEPLOYMENTS, key());
    int replicas = Json.at(deployment, "spec", "replicas").asInt(0);
    JsonNode status = Json.at(deployment, "status");
    return status.path("observedGeneration").asLong(0)
            >= Json.at(deployment, "metadata", "generation").asLong(0)
        && status.path("updatedReplicas").asInt(0) == replicas
        && status.path("availableReplicas").asInt(0) == replicas
        && pods() == replicas;
  }

  private int pods() {
    return client
        .list(ResourceType.PODS, NAMESPACE, ListOptions.ALL.labelled("app=" + name))
        .items()
        .size();
  }

  /// Waits for the first answer through the Service.
  public void awaitAnswer(NetworkNamespace from) {
    InetSocketAddress service = new InetSocketAddress(InetAddress.ofLiteral(address), 80);
    ConnectProbe.await(from, service, true);
    String answer =
        from.call(
            () -> {
              try (HostnameConnection call = new HostnameConnection(service)) {
                return call.ask();
              }
            });
    if (!answer.startsWith(name + "-")) {
      throw new IllegalStateException("the answer of somebody else: " + answer);
    }
  }

  /// Deletes both and waits until the pods are gone.
  public void delete() {
    client.delete(ResourceType.SERVICES, key(), DeleteOptions.DEFAULT);
    client.delete(
        ResourceType.DEPLOYMENTS, key(), DeleteOptions.of(DeleteOptions.Propagation.BACKGROUND));
    await("the pods of " + name + " are gone", () -> pods() == 0);
  }

  /// Waits for something that the cluster does by itself.
  ///
  /// @throws IllegalStateException when it does not come
  public static void await(String what, BooleanSupplier condition) {
    long give = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > give) {
        throw new IllegalStateException("not within " + PATIENCE.toMinutes() + " min: " + what);
      }
      LockSupport.parkNanos(GLANCE);
    }
  }
}
