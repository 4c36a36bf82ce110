@NullMarked
package io.fairlead.client;

import org.jspecify.annotations.NullMarked;
