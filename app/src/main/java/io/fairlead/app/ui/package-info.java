/// The web page in this program: whom its sessions act as, and what its views are made of.
@NullMarked
package io.fairlead.app.ui;

import org.jspecify.annotations.NullMarked;
