/// Plugin `cache`: keeps answers of other servers for as long as they say.
///
/// ```
/// cache [TTL] [ZONES...] {
///     success CAPACITY [TTL [MINTTL]]
///     denial CAPACITY [TTL [MINTTL]]
///     prefetch AMOUNT [DURATION [PERCENTAGE%]]
///     serve_stale [DURATION] [immediate [TTL [RECHECK]] | verify [TIMEOUT [TTL [RECHECK]]]]
///     serve_stale_policy prefer_positive
///     servfail DURATION
///     disable success|denial [ZONES...]
///     keepttl
/// }
/// ```
///
/// Answers made here from our own data (the cluster, files) are never kept: they are already at
/// hand, and keeping them would only make them old. So `cache 30` in front of `kubernetes` does not
/// delay a new pod, whether or not the Corefile disables it for the cluster's zone.
@NullMarked
package io.fairlead.dns.cache;

import org.jspecify.annotations.NullMarked;
