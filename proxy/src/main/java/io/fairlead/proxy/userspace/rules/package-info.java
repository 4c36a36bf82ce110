/// The rules that lead connections to Services to this process.
@NullMarked
package io.fairlead.proxy.userspace.rules;

import org.jspecify.annotations.NullMarked;
