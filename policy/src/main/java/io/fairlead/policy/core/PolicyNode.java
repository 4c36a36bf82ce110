package io.fairlead.policy.core;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.RawObject;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1Node;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// A node: the ranges its pods get addresses from, and its own addresses.
public record PolicyNode(ObjectMeta metadata, List<Cidr> podRanges, List<IpAddress> addresses)
    implements HasMetadata {
  private static final FieldMask FIELDS = FieldMask.of(FieldMask.Part.IDENTITY).allLabels();

  public PolicyNode {
    podRanges = List.copyOf(podRanges);
    addresses = List.copyOf(addresses);
  }

  public static PolicyNode read(RawObject object) {
    V1Node node = object.read(in -> V1Node.read(in, FIELDS));
    Set<Cidr> ranges = new LinkedHashSet<>();
    for (String range : node.podCidrs()) {
      add(ranges, range);
    }
    add(ranges, node.podCidr());
    List<IpAddress> addresses = new ArrayList<>();
    for (V1Node.Address each : node.addresses()) {
      IpAddress address = IpAddress.parseOrNull(each.address());
      if (address != null) {
        addresses.add(address);
      }
    }
    return new PolicyNode(node.metadata(), List.copyOf(ranges), addresses);
  }

  private static void add(Set<Cidr> ranges, String text) {
    Cidr range = Cidr.parseOrNull(text);
    if (range != null) {
      ranges.add(range.masked());
    }
  }
}
