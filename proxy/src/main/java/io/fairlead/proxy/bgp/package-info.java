/// Announces addresses to routers by BGP. BIRD speaks the protocol; this package writes its
/// configuration and asks for its state.
@NullMarked
package io.fairlead.proxy.bgp;

import org.jspecify.annotations.NullMarked;
