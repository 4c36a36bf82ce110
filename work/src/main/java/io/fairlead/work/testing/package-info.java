/// What tests of every module share: damaged input for readers of bytes.
@NullMarked
package io.fairlead.work.testing;

import org.jspecify.annotations.NullMarked;
