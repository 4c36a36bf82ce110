/// What the process of `up` shows of itself in the namespace kube-system: its components as pods,
/// and the configuration of its proxy.
@NullMarked
package io.fairlead.app.systempod;

import org.jspecify.annotations.NullMarked;
