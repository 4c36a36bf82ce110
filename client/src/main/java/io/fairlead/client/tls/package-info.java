/// Certificates and keys as files hold them, and the TLS contexts made of them.
@NullMarked
package io.fairlead.client.tls;

import org.jspecify.annotations.NullMarked;
