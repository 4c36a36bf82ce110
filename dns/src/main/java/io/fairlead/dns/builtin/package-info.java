/// The small plugins, one or two types each: `any`, `autopath`, `cancel`, `chaos`, `header`,
/// `local`, `loop`, `minimal`, `nsid` and `whoami`. The page `<plugin>.md` in this directory has
/// the options of each and an example.
@NullMarked
package io.fairlead.dns.builtin;

import org.jspecify.annotations.NullMarked;
