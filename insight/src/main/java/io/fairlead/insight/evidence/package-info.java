/// What is known, from where, and what could not be found out and why.
@NullMarked
package io.fairlead.insight.evidence;

import org.jspecify.annotations.NullMarked;
