/// Plugin `autopath`: walks the client's search path for it.
///
/// ```
/// autopath [ZONES...] RESOLV-CONF | @PLUGIN
/// ```
///
/// A pod that looks for `db.example.net` first asks for
/// `db.example.net.NAMESPACE.svc.cluster.local`. With this plugin the server tries the other
/// suffixes at once and answers that first question with an alias to the name that exists.
/// `@kubernetes` finds the search path of the pod that asks; it needs `pods verified`.
@NullMarked
package io.fairlead.dns.autopath;

import org.jspecify.annotations.NullMarked;
