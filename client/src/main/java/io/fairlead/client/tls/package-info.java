/// Whom a client trusts, who it is, and the TLS context made of both.
@NullMarked
package io.fairlead.client.tls;

import org.jspecify.annotations.NullMarked;
