/// Plugin `forward`: asks other servers.
///
/// ```
/// forward FROM TO... {
///     except ZONES...            force_tcp            prefer_udp
///     policy random|round_robin|sequential
///     expire DURATION            max_idle_conns N     max_age DURATION
///     max_fails N                max_connect_attempts N
///     max_concurrent N           read_timeout DURATION
///     health_check DURATION [no_rec] [domain NAME]
///     tls [CERT KEY] [CA]        tls_servername NAME  doh_method GET|POST
///     next RCODE...              next_on_nodata       failover RCODE...
///     failfast_all_unhealthy_upstreams
///     source_address IP          resolver IP[:PORT]...
/// }
/// ```
///
/// TO is `IP[:PORT]`, `tls://IP[%NAME][:PORT]`, `https://IP[:PORT]`, a host name, or a file with
/// `nameserver` lines, which is read again when it changes. Equal questions that wait at the same
/// time share one query to the upstream. When one upstream takes unusually long, another is asked
/// as well.
@NullMarked
package io.fairlead.dns.forward;

import org.jspecify.annotations.NullMarked;
