/// Tests of the page's host over real sockets, with a cluster of objects alone.
@NullMarked
package io.fairlead.ui;

import org.jspecify.annotations.NullMarked;
