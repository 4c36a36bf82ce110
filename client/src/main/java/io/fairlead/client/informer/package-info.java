/// Local copies of objects, kept current by list and watch, the watches that the components of a
/// process share, and the queue of keys that controllers work off.
@NullMarked
package io.fairlead.client.informer;

import org.jspecify.annotations.NullMarked;
