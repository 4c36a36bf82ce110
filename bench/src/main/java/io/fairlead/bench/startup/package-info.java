/// How long commands and the server take to start.
@NullMarked
package io.fairlead.bench.startup;

import org.jspecify.annotations.NullMarked;
