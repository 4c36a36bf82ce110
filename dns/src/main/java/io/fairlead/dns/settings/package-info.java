/// Plugins that only set something: `bufsize`, `timeouts`, `multisocket`, `root`, `debug`,
/// `metadata`, and those that Corefiles may hold but that have nothing to do here: `pprof`,
/// `trace`, `on`, `shed`.
///
/// ```
/// bufsize [SIZE]                     the most bytes of an answer over UDP, 512 to 4096, 1232 alone
/// multisocket [COUNT]                UDP sockets for each address, 1 to 1024
/// root PATH                          where relative file names start
/// debug                              accepted; a plugin that throws never ends this process
/// metadata [ZONES...]                accepted; facts are gathered when a format names one
/// timeouts { read|write|idle D; maxtcpqueries N }
/// ```
@NullMarked
package io.fairlead.dns.settings;

import org.jspecify.annotations.NullMarked;
