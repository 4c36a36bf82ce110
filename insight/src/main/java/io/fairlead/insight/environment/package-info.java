/// The variables that tell a container of Services: which it has, which it lacks, and why.
@NullMarked
package io.fairlead.insight.environment;

import org.jspecify.annotations.NullMarked;
