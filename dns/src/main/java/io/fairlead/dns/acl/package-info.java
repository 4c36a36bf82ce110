/// Plugin `acl`: who may ask what. README.md in this directory has its options and an example.
@NullMarked
package io.fairlead.dns.acl;

import org.jspecify.annotations.NullMarked;
