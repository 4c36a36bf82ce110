/// The service proxy of a node.
@NullMarked
package io.fairlead.proxy;

import org.jspecify.annotations.NullMarked;
