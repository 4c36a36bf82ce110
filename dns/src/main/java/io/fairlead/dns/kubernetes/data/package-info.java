/// What the API says, cut down to what names need, and compiled into tables that queries read
/// without a lock.
@NullMarked
package io.fairlead.dns.kubernetes.data;

import org.jspecify.annotations.NullMarked;
