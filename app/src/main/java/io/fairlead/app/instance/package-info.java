/// A running Fairlead as seen from outside: its data directory, process, ports and kubeconfig.
@NullMarked
package io.fairlead.app.instance;

import org.jspecify.annotations.NullMarked;
