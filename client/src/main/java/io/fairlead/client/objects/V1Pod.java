package io.fairlead.client.objects;

import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.RawObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A Pod as the API has it, as far as a component reads the pods of others. Absent texts are empty,
/// absent numbers 0, absent lists empty. Immutable; its lists, maps and trees are not to be
/// changed.
///
/// A component keeps what it needs of one and drops the rest, so this record is short-lived. The
/// node agent runs the containers of its pods and reads those as trees.
public record V1Pod(
    ObjectMeta metadata,
    Map<String, String> annotations,
    String creationTimestamp,
    Spec spec,
    Status status)
    implements HasMetadata {
  public record Spec(
      String nodeName,
      String hostname,
      String subdomain,
      boolean hostNetwork,
      List<Container> containers,
      List<Container> initContainers,
      List<String> readinessGates,
      List<Toleration> tolerations,
      Scheduling scheduling) {}

  /// What only the scheduler and the daemon set controller read. Most pods have neither affinity
  /// nor spread constraints: a tree is built of those that do, because label selectors are read
  /// from trees.
  ///
  /// @param preemptionPolicy empty when absent
  /// @param affinity missing when absent
  /// @param topologySpreadConstraints missing when absent
  /// @param overhead amounts by resource
  public record Scheduling(
      String schedulerName,
      boolean gated,
      int priority,
      String preemptionPolicy,
      Map<String, String> nodeSelector,
      JsonNode affinity,
      JsonNode topologySpreadConstraints,
      Map<String, String> overhead) {}

  /// @param requests amounts by resource
  /// @param startupProbe null when absent
  /// @param readinessProbe null when absent
  public record Container(
      String name,
      String image,
      String restartPolicy,
      List<Port> ports,
      Map<String, String> requests,
      @Nullable Probe startupProbe,
      @Nullable Probe readinessProbe) {
    /// Whether an init container goes on running beside the others.
    public boolean isSidecar() {
      return restartPolicy.equals("Always");
    }
  }

  /// @param protocol `TCP` when absent
  public record Port(
      String name, String protocol, int containerPort, int hostPort, String hostIp) {}

  /// @param handler `httpGet`, `tcpSocket`, `grpc`, `exec`; empty when it has none of them
  /// @param port number or name
  /// @param path of `httpGet`
  /// @param command the first word of `exec`
  public record Probe(String handler, String port, String path, String command) {}

  /// @param operator `Equal` when absent
  /// @param seconds null when absent
  public record Toleration(
      String key, String operator, String value, String effect, @Nullable Long seconds) {}

  /// @param nominatedNodeName the node where others leave for it; empty when absent
  public record Status(
      String phase,
      String reason,
      String nominatedNodeName,
      String podIp,
      List<String> podIps,
      List<V1Condition> conditions,
      List<ContainerStatus> containers,
      List<ContainerStatus> initContainers) {
    /// Those of `podIPs`, or the one of `podIP` when there is no such list.
    public List<String> addresses() {
      return podIps.isEmpty() && !podIp.isEmpty() ? List.of(podIp) : podIps;
    }

    /// The first condition of that type.
    public Optional<V1Condition> condition(String type) {
      return V1Condition.find(conditions, type);
    }
  }

  /// @param state `waiting`, `running` or `terminated`; empty when none is reported
  /// @param reason of that state
  /// @param message of that state
  /// @param exitCode null unless terminated
  /// @param finishedAt empty unless terminated
  public record ContainerStatus(
      String name,
      boolean ready,
      boolean started,
      int restartCount,
      String state,
      String reason,
      String message,
      @Nullable Integer exitCode,
      String finishedAt) {}

  /// Reads one.
  ///
  /// @param in at the token where the object begins
  public static V1Pod read(JsonParser in, FieldMask mask) {
    return new V1PodReader(mask).read(in);
  }

  /// All fields of one, read once for all components that are given the same object.
  public static V1Pod of(RawObject object) {
    return object.readOnce(V1Pod.class, in -> read(in, FieldMask.ALL));
  }

  public static V1Pod of(ObjectNode object) {
    return of(RawObject.of(object));
  }

  /// It ran and will not run again.
  public boolean finished() {
    return status.phase.equals("Succeeded") || status.phase.equals("Failed");
  }
}
