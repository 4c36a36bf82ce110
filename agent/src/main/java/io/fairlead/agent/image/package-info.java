/// Images made here: a file that container engines import, without a registry.
@NullMarked
package io.fairlead.agent.image;

import org.jspecify.annotations.NullMarked;
