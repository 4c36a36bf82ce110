/// Plugin `nsid [DATA]`: tells clients that ask for it which server answered (RFC 5001); the host's
/// name unless given. README.md beside this file has its options and an example.
@NullMarked
package io.fairlead.dns.nsid;

import org.jspecify.annotations.NullMarked;
