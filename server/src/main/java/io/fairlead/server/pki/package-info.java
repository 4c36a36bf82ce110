/// The cluster's own certificate authority, its keys, and what TLS needs of them. The only package
/// that touches BouncyCastle, and only when something has to be issued.
@NullMarked
package io.fairlead.server.pki;

import org.jspecify.annotations.NullMarked;
