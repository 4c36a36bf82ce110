/// What was found: codes, how grave they are, and the sentences for them in both languages.
@NullMarked
package io.fairlead.insight.finding;

import org.jspecify.annotations.NullMarked;
