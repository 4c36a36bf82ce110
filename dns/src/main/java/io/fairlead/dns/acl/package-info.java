/// Plugin `acl`: who may ask what. README.md beside this file has its options and an example.
@NullMarked
package io.fairlead.dns.acl;

import org.jspecify.annotations.NullMarked;
