/// What a node does with traffic to Services, decided once for all modes. Pure: no I/O, no clock.
@NullMarked
package io.fairlead.proxy.core;

import org.jspecify.annotations.NullMarked;
