/// Gathers evidence: asks the API server, the nodes, the DNS server and the Service itself.
@NullMarked
package io.fairlead.insight.gather;

import org.jspecify.annotations.NullMarked;
