package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.net.IpAddress;
import org.jspecify.annotations.Nullable;

/// One ready address of a Service.
///
/// @param name hostname or pod name; null when the address itself makes the name
/// @param zone empty when unknown or not wanted
public record EndpointFacts(IpAddress address, @Nullable String name, String zone) {
  /// What the endpoint is called below its Service: `web-0`, `10-244-3-11`, `fd00-5--0`.
  public String label() {
    String given = name;
    if (given != null) {
      return given;
    }
    String text = address.toString().replace('.', '-').replace(':', '-');
    return text.endsWith("-") ? text + "0" : text;
  }
}
