/// Plugin `reload`: takes over a changed Corefile.
///
/// ```
/// reload [INTERVAL] [JITTER] | off
/// ```
///
/// Every INTERVAL (30s, at least 2s) plus or minus a part of JITTER (15s, at least 1s, at most half
/// the interval) the file and what it imports are read. If a word changed, the new configuration is
/// built and put in place of the old one. A bad one changes nothing and is not tried again until it
/// changes once more.
@NullMarked
package io.fairlead.dns.reload;

import org.jspecify.annotations.NullMarked;
