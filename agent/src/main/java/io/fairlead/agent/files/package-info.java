/// Makes what containers find around them, on disk.
@NullMarked
package io.fairlead.agent.files;

import org.jspecify.annotations.NullMarked;
