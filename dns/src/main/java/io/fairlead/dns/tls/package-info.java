/// Plugin `tls`: the certificate of encrypted listeners.
///
/// ```
/// tls CERT KEY [CA] {
///     client_auth nocert|request|require|verify_if_given|require_and_verify
/// }
/// ```
///
/// The files are read again when they change, so a renewed certificate needs no reload.
@NullMarked
package io.fairlead.dns.tls;

import org.jspecify.annotations.NullMarked;
