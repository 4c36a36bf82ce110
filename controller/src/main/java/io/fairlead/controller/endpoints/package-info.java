/// Endpoints, the older way to publish who serves a Service: one object per Service, at most 1000
/// addresses.
@NullMarked
package io.fairlead.controller.endpoints;

import org.jspecify.annotations.NullMarked;
