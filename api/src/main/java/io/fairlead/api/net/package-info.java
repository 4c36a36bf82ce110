@NullMarked
package io.fairlead.api.net;

import org.jspecify.annotations.NullMarked;
