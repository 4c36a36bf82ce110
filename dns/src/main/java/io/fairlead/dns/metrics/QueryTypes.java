package io.fairlead.dns.metrics;

import io.fairlead.dns.wire.RecordType;
import java.util.Set;

/// Which record types have a label of their own; others are `other`, so that no client can make as
/// many time series as there are numbers.
final class QueryTypes {
  /// How many types have an index.
  static final int COMMON = 4;

  private static final int[] INDEXED = {
    RecordType.A, RecordType.AAAA, RecordType.SRV, RecordType.PTR
  };
  private static final Set<Integer> LABELLED =
      Set.of(
          RecordType.A,
          RecordType.AAAA,
          RecordType.MX,
          RecordType.SOA,
          RecordType.CNAME,
          RecordType.PTR,
          RecordType.TXT,
          RecordType.NS,
          RecordType.SRV,
          RecordType.DS,
          RecordType.DNSKEY,
          RecordType.RRSIG,
          RecordType.NSEC,
          RecordType.NSEC3,
          RecordType.HTTPS,
          RecordType.SVCB,
          RecordType.IXFR,
          RecordType.AXFR,
          RecordType.ANY);

  private QueryTypes() {}

  static int index(int type) {
    return switch (type) {
      case RecordType.A -> 0;
      case RecordType.AAAA -> 1;
      case RecordType.SRV -> 2;
      case RecordType.PTR -> 3;
      default -> -1;
    };
  }

  static String indexed(int index) {
    return RecordType.name(INDEXED[index]);
  }

  static String label(int type) {
    return LABELLED.contains(type) ? RecordType.name(type) : "other";
  }
}
