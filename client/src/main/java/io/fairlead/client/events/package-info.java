/// Writes Event objects: what happened to an object, for its owner to read through the API.
@NullMarked
package io.fairlead.client.events;

import org.jspecify.annotations.NullMarked;
