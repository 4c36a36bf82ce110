/// What a cluster inside of a test costs.
@NullMarked
package io.fairlead.bench.junit;

import org.jspecify.annotations.NullMarked;
