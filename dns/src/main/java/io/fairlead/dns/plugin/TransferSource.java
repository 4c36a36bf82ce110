package io.fairlead.dns.plugin;

import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;

/// A plugin that holds whole zones. Asked by `transfer`.
public interface TransferSource {
  /// @param soa the zone's SOA record, which opens and closes a transfer
  /// @param records all others, in order, from one version of the zone
  record Zone(ResourceRecord soa, Iterator<ResourceRecord> records) {}

  /// The zone of exactly that name, or empty when it is not ours.
  ///
  /// @param serial what the client has; equal to ours means that it needs only the SOA
  Optional<Zone> transfer(Name zone, OptionalLong serial);
}
