/// The ipvs mode, measured in a guest whose kernel has IPVS.
@NullMarked
package io.fairlead.bench.ipvs;

import org.jspecify.annotations.NullMarked;
