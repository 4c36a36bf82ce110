/// TLS and PEM: which versions and cipher suites all servers and clients of this program use
/// ([TlsPolicy]), and how certificates and keys are read from and written to files ([PemParser],
/// [PemWriter]).
@NullMarked
package io.fairlead.http.tls;

import org.jspecify.annotations.NullMarked;
