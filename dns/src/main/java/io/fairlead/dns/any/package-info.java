/// Plugin `any`: answers queries for ANY with a single HINFO record, as RFC 8482 advises, because
/// listing everything serves mostly those who want large answers sent to somebody else. README.md
/// beside this file has its options and an example.
@NullMarked
package io.fairlead.dns.any;

import org.jspecify.annotations.NullMarked;
