package io.fairlead.dns.wire;

import io.fairlead.api.net.IpAddress;

/// One record.
///
/// @param ttl seconds, never negative
public record ResourceRecord(Name owner, int recordClass, int ttl, RecordData data) {
  public ResourceRecord {
    if (ttl < 0) {
      throw new IllegalArgumentException("negative time to live: " + ttl);
    }
  }

  /// A record of class IN.
  public static ResourceRecord in(Name owner, int ttl, RecordData data) {
    return new ResourceRecord(owner, RecordClass.IN, ttl, data);
  }

  /// An A or AAAA record, as the address is.
  public static ResourceRecord address(Name owner, int ttl, IpAddress address) {
    return in(owner, ttl, new RecordData.Address(address));
  }

  public int type() {
    return data.type();
  }

  public ResourceRecord withTtl(int seconds) {
    return seconds == ttl ? this : new ResourceRecord(owner, recordClass, seconds, data);
  }

  public ResourceRecord withOwner(Name name) {
    return new ResourceRecord(name, recordClass, ttl, data);
  }

  /// Master file form: `crane.harbor.svc.cluster.local. 30 IN A 10.96.14.7`.
  @Override
  public String toString() {
    return owner
        + " "
        + ttl
        + " "
        + RecordClass.name(recordClass)
        + " "
        + RecordType.name(type())
        + " "
        + data;
  }
}
