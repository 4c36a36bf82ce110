/// Plugin `template`: makes answers from the question with text templates. README.md in this
/// directory has its options and an example.
@NullMarked
package io.fairlead.dns.template;

import org.jspecify.annotations.NullMarked;
