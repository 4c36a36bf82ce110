/// Plugin `hosts`: answers from a file like `/etc/hosts`. README.md in this directory has its
/// options and an example.
@NullMarked
package io.fairlead.dns.hosts;

import org.jspecify.annotations.NullMarked;
