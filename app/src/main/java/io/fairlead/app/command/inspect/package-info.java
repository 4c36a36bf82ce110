/// The verbs that look at what a cluster did and how far it is.
@NullMarked
package io.fairlead.app.command.inspect;

import org.jspecify.annotations.NullMarked;
