/// Why pods are no endpoints, as a document that others read.
@NullMarked
package io.fairlead.controller.reasons;

import org.jspecify.annotations.NullMarked;
