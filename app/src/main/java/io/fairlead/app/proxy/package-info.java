/// The service proxy of this machine as one thing to start and stop, for the verb and for `up`.
@NullMarked
package io.fairlead.app.proxy;

import org.jspecify.annotations.NullMarked;
