/// Admission by programs of the administrator: which webhooks a request concerns, what they are
/// asked, and what becomes of their answers.
@NullMarked
package io.fairlead.server.admission.webhook;

import org.jspecify.annotations.NullMarked;
