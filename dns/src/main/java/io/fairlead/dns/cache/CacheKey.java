package io.fairlead.dns.cache;

import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.wire.Name;

/// What makes two queries the same for a cache. Names compare without regard to case.
record CacheKey(Name name, int type, int recordClass, boolean dnssecOk, boolean checkingDisabled) {
  static CacheKey of(Query query) {
    return new CacheKey(
        query.name(),
        query.type(),
        query.question().recordClass(),
        query.dnssecOk(),
        query.checkingDisabled());
  }
}
