/// How the owner of a node tells its running proxy what to do.
@NullMarked
package io.fairlead.proxy.control;

import org.jspecify.annotations.NullMarked;
