/// The grammar of the command line: verbs, flags, parsing, help, completion, errors.
@NullMarked
package io.fairlead.app.cli;

import org.jspecify.annotations.NullMarked;
