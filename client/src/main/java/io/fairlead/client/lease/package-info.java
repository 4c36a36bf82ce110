/// Leader election by a Lease, and what a node reports in the Lease of its proxy.
@NullMarked
package io.fairlead.client.lease;

import org.jspecify.annotations.NullMarked;
