package io.fairlead.dns.transfer;

import io.fairlead.dns.wire.ResourceRecord;

/// Receives zones that changed, to notify other servers.
public interface ZoneChangeListener {
  /// @param soa the zone's new SOA record
  void changed(ResourceRecord soa);
}
