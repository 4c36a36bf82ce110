/// Gives every node the ranges its pods take their addresses from.
@NullMarked
package io.fairlead.controller.nodeipam;

import org.jspecify.annotations.NullMarked;
