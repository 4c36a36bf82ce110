/// Publishes the endpoints of Services as EndpointSlices.
@NullMarked
package io.fairlead.controller.endpointslice;

import org.jspecify.annotations.NullMarked;
