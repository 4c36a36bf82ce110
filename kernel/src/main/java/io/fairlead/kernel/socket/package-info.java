/// Sockets of a network namespace: those that listen, and connections made to see who answers.
@NullMarked
package io.fairlead.kernel.socket;

import org.jspecify.annotations.NullMarked;
