/// Plugin `loadbalance`: changes the order of records from answer to answer.
///
/// ```
/// loadbalance [round_robin | weighted FILE] {
///     prefer RANGE...
///     limit_answers COUNT
///     reload DURATION
/// }
/// ```
///
/// Aliases come first, then other records, then addresses, mail servers and services in an order of
/// chance: shuffled up to eight records, turned by a random number beyond. `weighted` only picks
/// the first address, by weights from a file. `prefer` moves addresses of some ranges to the front.
@NullMarked
package io.fairlead.dns.loadbalance;

import org.jspecify.annotations.NullMarked;
