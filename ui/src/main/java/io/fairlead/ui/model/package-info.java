/// What the page shows of Services, computed from shared informers.
@NullMarked
package io.fairlead.ui.model;

import org.jspecify.annotations.NullMarked;
