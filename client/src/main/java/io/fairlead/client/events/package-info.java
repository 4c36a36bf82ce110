/// What happened to an object, told to its owner through the API.
@NullMarked
package io.fairlead.client.events;

import org.jspecify.annotations.NullMarked;
