/// Keeps one pod on every node that wants it.
@NullMarked
package io.fairlead.controller.daemonset;

import org.jspecify.annotations.NullMarked;
