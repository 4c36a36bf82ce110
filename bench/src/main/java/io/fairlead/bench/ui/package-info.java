/// How quick, small and quiet the web page is.
@NullMarked
package io.fairlead.bench.ui;

import org.jspecify.annotations.NullMarked;
