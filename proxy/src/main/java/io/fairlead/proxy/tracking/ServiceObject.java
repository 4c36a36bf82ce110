package io.fairlead.proxy.tracking;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.RawObject;
import io.fairlead.proxy.core.ServicePort;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.node.ObjectNode;

/// What the proxy keeps of a Service: its ports in each family.
public record ServiceObject(ObjectMeta metadata, List<ServicePort> ipv4, List<ServicePort> ipv6)
    implements HasMetadata {

  public ServiceObject {
    ipv4 = List.copyOf(ipv4);
    ipv6 = List.copyOf(ipv6);
  }

  /// Reads a Service of the API.
  public static ServiceObject of(ObjectNode object) {
    return RawObject.of(object).read(ServiceObject::read);
  }

  /// Reads one from its tokens.
  public static ServiceObject read(JsonParser in) {
    ServiceReader reader = new ServiceReader(in);
    ObjectMeta metadata = reader.metadata();
    return new ServiceObject(
        metadata,
        reader.ports(metadata.key(), IpAddress.Family.IPV4),
        reader.ports(metadata.key(), IpAddress.Family.IPV6));
  }

  public List<ServicePort> ports(IpAddress.Family family) {
    return family == IpAddress.Family.IPV4 ? ipv4 : ipv6;
  }
}
