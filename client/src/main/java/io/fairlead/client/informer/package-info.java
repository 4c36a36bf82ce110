/// A local copy of the objects of one kind, kept current by a watch.
@NullMarked
package io.fairlead.client.informer;

import org.jspecify.annotations.NullMarked;
