/// Gives every namespace its account named default.
@NullMarked
package io.fairlead.controller.serviceaccount;

import org.jspecify.annotations.NullMarked;
