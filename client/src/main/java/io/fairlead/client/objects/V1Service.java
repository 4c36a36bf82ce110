package io.fairlead.client.objects;

import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/// A Service as the API has it. Absent texts are empty, absent numbers 0, absent lists empty.
/// Immutable; its lists and maps are not to be changed.
public record V1Service(
    ObjectMeta metadata,
    Map<String, String> annotations,
    String creationTimestamp,
    Spec spec,
    List<Ingress> ingress,
    List<V1Condition> conditions)
    implements HasMetadata {
  /// How long a client stays with its endpoint when the Service does not say.
  public static final int DEFAULT_AFFINITY_SECONDS = 10_800;

  /// @param clusterIp empty, `None` or an address
  /// @param ipFamilyPolicy `SingleStack`, `PreferDualStack` or `RequireDualStack`
  /// @param sessionAffinitySeconds [#DEFAULT_AFFINITY_SECONDS] when absent
  public record Spec(
      String type,
      String clusterIp,
      List<String> clusterIps,
      List<String> ipFamilies,
      String ipFamilyPolicy,
      Map<String, String> selector,
      List<Port> ports,
      String externalName,
      List<String> externalIps,
      String loadBalancerIp,
      String loadBalancerClass,
      List<String> loadBalancerSourceRanges,
      String internalTrafficPolicy,
      String externalTrafficPolicy,
      String sessionAffinity,
      int sessionAffinitySeconds,
      int healthCheckNodePort,
      boolean publishNotReadyAddresses,
      String trafficDistribution) {}

  /// @param protocol `TCP` when absent
  /// @param targetPortName set when `targetPort` is a name
  /// @param targetPort set when it is a number
  public record Port(
      String name,
      String protocol,
      int port,
      int nodePort,
      @Nullable String targetPortName,
      int targetPort,
      @Nullable String appProtocol) {}

  /// One address of a load balancer.
  ///
  /// @param ipMode `VIP` when absent
  public record Ingress(String ip, String hostname, String ipMode) {}

  /// Reads one.
  ///
  /// @param in at the token where the object begins
  public static V1Service read(JsonParser in, FieldMask mask) {
    return new V1ServiceReader(mask).read(in);
  }

  public boolean isExternalName() {
    return spec.type.equals("ExternalName");
  }
}
