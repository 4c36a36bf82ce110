package io.fairlead.client.objects;

import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.RawObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.node.ObjectNode;

/// A Node as the API has it. Absent texts are empty, absent numbers 0, absent lists empty.
/// Immutable; its lists and maps are not to be changed.
///
/// @param allocatable amounts by resource
public record V1Node(
    ObjectMeta metadata,
    Map<String, String> annotations,
    boolean unschedulable,
    List<Taint> taints,
    String podCidr,
    List<String> podCidrs,
    Map<String, String> allocatable,
    List<V1Condition> conditions,
    List<Address> addresses,
    List<Image> images)
    implements HasMetadata {
  public static final String ZONE_LABEL = "topology.kubernetes.io/zone";

  public record Taint(String key, String value, String effect) {}

  /// @param type `InternalIP`, `ExternalIP`, `Hostname` and others
  public record Address(String type, String address) {}

  public record Image(List<String> names, long sizeBytes) {}

  /// Reads one.
  ///
  /// @param in at the token where the object begins
  public static V1Node read(JsonParser in, FieldMask mask) {
    return new V1NodeReader(mask).read(in);
  }

  /// All fields of one, read once for all components that are given the same object.
  public static V1Node of(RawObject object) {
    return object.readOnce(V1Node.class, in -> read(in, FieldMask.ALL));
  }

  public static V1Node of(ObjectNode object) {
    return of(RawObject.of(object));
  }

  /// The first condition of that type.
  public Optional<V1Condition> condition(String type) {
    return V1Condition.find(conditions, type);
  }

  /// Those of one type, in order.
  public List<String> addresses(String type) {
    List<String> found = new ArrayList<>(1);
    for (Address address : addresses) {
      if (address.type.equals(type)) {
        found.add(address.address);
      }
    }
    return found;
  }
}
