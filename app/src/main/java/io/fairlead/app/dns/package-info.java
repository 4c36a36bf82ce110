/// What the command line needs for DNS.
@NullMarked
package io.fairlead.app.dns;

import org.jspecify.annotations.NullMarked;
