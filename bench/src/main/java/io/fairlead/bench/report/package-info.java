/// How figures are written down and held against goals.
@NullMarked
package io.fairlead.bench.report;

import org.jspecify.annotations.NullMarked;
