/// How a container finds Services and itself: environment, `resolv.conf`, host name, `hosts`. Pure.
@NullMarked
package io.fairlead.agent.discovery;

import org.jspecify.annotations.NullMarked;
