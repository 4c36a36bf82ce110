package io.fairlead.dns.transfer;

import io.fairlead.dns.wire.ResourceRecord;

/// Hears of zones that changed, so that other servers can be told.
public interface ZoneChanges {
  /// @param soa the zone's new SOA record
  void changed(ResourceRecord soa);
}
