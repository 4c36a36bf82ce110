/// The built files of the page and their hashes.
@NullMarked
package io.fairlead.ui.asset;

import org.jspecify.annotations.NullMarked;
