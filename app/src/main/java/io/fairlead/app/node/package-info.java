/// The listener of a node's own server.
@NullMarked
package io.fairlead.app.node;

import org.jspecify.annotations.NullMarked;
