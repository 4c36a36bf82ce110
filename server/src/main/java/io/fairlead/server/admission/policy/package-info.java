/// Admission by policies: rules in CEL that a request must meet where a binding says so.
@NullMarked
package io.fairlead.server.admission.policy;

import org.jspecify.annotations.NullMarked;
