package io.fairlead.dns.kubernetes.answer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.kubernetes.data.CompiledService;
import io.fairlead.dns.kubernetes.data.EndpointFacts;
import io.fairlead.dns.kubernetes.data.PortFacts;
import io.fairlead.dns.kubernetes.data.ServiceSnapshot;
import io.fairlead.dns.kubernetes.data.SliceFacts;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.LinkedHashSet;
import java.util.Set;

/// All records of one Service as a zone transfer lists them (spec/dns.md 1.13): no pods, no PTR, no
/// endpoints of Services with a cluster address.
final class ZoneTransferRecords {
  private final Name zone;
  private final int ttl;
  private final Set<ResourceRecord> records = new LinkedHashSet<>();

  private ZoneTransferRecords(Name zone, int ttl) {
    this.zone = zone;
    this.ttl = ttl;
  }

  static Set<ResourceRecord> of(ServiceSnapshot snapshot, Name zone, int ttl) {
    ZoneTransferRecords all = new ZoneTransferRecords(zone, ttl);
    CompiledService service = snapshot.compiled();
    for (Name owner : NameServers.name(new byte[0], service, zone)) {
      switch (service.kind()) {
        case EXTERNAL_NAME -> all.alias(owner, service);
        case CLUSTER_IP -> all.cluster(owner, service);
        case HEADLESS -> snapshot.slices().forEach(slice -> all.slice(owner, slice));
        case PENDING -> {}
      }
    }
    return all.records;
  }

  private void alias(Name owner, CompiledService service) {
    Name target = service.externalName();
    if (target != null) {
      add(owner, RecordData.cname(target));
    }
  }

  private void cluster(Name owner, CompiledService service) {
    for (IpAddress address : service.clusterAddresses()) {
      add(owner, new RecordData.Address(address));
    }
    for (PortFacts port : service.ports()) {
      if (port.port() != PortFacts.NONE) {
        RecordData srv = new RecordData.Srv(0, 100, port.port(), owner);
        add(owner, srv);
        named(owner, port, srv);
      }
    }
  }

  private void slice(Name owner, SliceFacts slice) {
    int weight = Math.max(1, 100 / Math.max(1, slice.endpoints().size()));
    for (EndpointFacts endpoint : slice.endpoints()) {
      Name relative = Name.parseOrNull(endpoint.label());
      Name name = relative == null ? null : relative.append(owner);
      if (name == null) {
        continue;
      }
      add(owner, new RecordData.Address(endpoint.address()));
      add(name, new RecordData.Address(endpoint.address()));
      for (PortFacts port : slice.ports()) {
        if (port.port() != PortFacts.NONE) {
          named(owner, port, new RecordData.Srv(0, weight, port.port(), name));
        }
      }
    }
  }

  private void named(Name service, PortFacts port, RecordData srv) {
    if (port.name().isEmpty()) {
      return;
    }
    Name labels = Name.parseOrNull("_" + port.name() + "._" + port.protocol());
    Name owner = labels == null ? null : labels.append(service);
    if (owner != null) {
      add(owner, srv);
    }
  }

  private void add(Name owner, RecordData data) {
    if (owner.isUnder(zone)) {
      records.add(ResourceRecord.in(owner, ttl, data));
    }
  }
}
