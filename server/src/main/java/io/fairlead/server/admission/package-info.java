/// What new and changed objects go through between decoding and storing: plugins that fill in what
/// depends on other objects, and plugins that refuse.
@NullMarked
package io.fairlead.server.admission;

import org.jspecify.annotations.NullMarked;
