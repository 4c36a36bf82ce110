/// The web page: its listener, its paths, and what its host must bring along.
@NullMarked
package io.fairlead.ui;

import org.jspecify.annotations.NullMarked;
