/// Calling webhooks: a document is sent by HTTPS to a program that an administrator named, and its
/// answer comes back within a bounded time. Knows nothing of what the documents say.
@NullMarked
package io.fairlead.server.webhook;

import org.jspecify.annotations.NullMarked;
