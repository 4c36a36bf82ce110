package io.fairlead.controller.serving;

import io.fairlead.api.net.IpAddress;
import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.client.objects.V1Pod;
import java.util.ArrayList;
import java.util.List;

/// One address of a pod.
///
/// @param text canonical, however the status spells it
public record PodAddress(Family family, String text) {
  /// Those of `status.podIPs`; what is no address is left out.
  static List<PodAddress> of(V1Pod.Status status) {
    List<PodAddress> addresses = new ArrayList<>(1);
    for (String text : status.podIps()) {
      IpAddress address = IpAddress.parseLenientOrNull(text);
      if (address != null) {
        addresses.add(new PodAddress(address.family(), address.toString()));
      }
    }
    return addresses;
  }
}
