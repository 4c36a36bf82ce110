package io.fairlead.client.objects;

import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/// An EndpointSlice as the API has it. Absent texts are empty, absent lists empty. Immutable; its
/// lists and maps are not to be changed.
///
/// @param addressType `IPv4`, `IPv6` or `FQDN`
public record V1EndpointSlice(
    ObjectMeta metadata,
    Map<String, String> annotations,
    String generateName,
    String addressType,
    List<Port> ports,
    List<Endpoint> endpoints)
    implements HasMetadata {
  /// The label that names the Service a slice belongs to.
  public static final String SERVICE_LABEL = "kubernetes.io/service-name";

  /// The annotation with the time of the change that led to this state.
  public static final String TRIGGER_ANNOTATION =
      "endpoints.kubernetes.io/last-change-trigger-time";

  /// @param name null when absent, which is not the same as empty
  /// @param protocol `TCP` when absent
  /// @param port 0 when absent
  public record Port(@Nullable String name, String protocol, int port, String appProtocol) {}

  /// The conditions are null when absent.
  ///
  /// @param target null when absent
  public record Endpoint(
      List<String> addresses,
      @Nullable Boolean ready,
      @Nullable Boolean serving,
      @Nullable Boolean terminating,
      String hostname,
      @Nullable Target target,
      String nodeName,
      String zone,
      List<String> forZones,
      List<String> forNodes) {}

  /// The object behind an endpoint.
  public record Target(String kind, String namespace, String name, String uid) {}

  /// Reads one.
  ///
  /// @param in at the token where the object begins
  public static V1EndpointSlice read(JsonParser in, FieldMask mask) {
    return new V1EndpointSliceReader(mask).read(in);
  }

  /// The Service it belongs to; its name is empty when there is none.
  public ObjectKey service() {
    return new ObjectKey(metadata.namespace(), metadata.labels().getOrDefault(SERVICE_LABEL, ""));
  }
}
