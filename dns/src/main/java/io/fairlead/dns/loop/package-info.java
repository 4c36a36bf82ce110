/// Plugin `loop`: notices when forwarding leads back to this server. README.md beside this file has
/// its options and an example.
@NullMarked
package io.fairlead.dns.loop;

import org.jspecify.annotations.NullMarked;
