/// Plugin `hosts`: answers from a file like `/etc/hosts`. README.md beside this file has its
/// options and an example.
@NullMarked
package io.fairlead.dns.hosts;

import org.jspecify.annotations.NullMarked;
