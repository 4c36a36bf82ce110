/// SPDY/3.1 as far as older clients of exec, attach and port-forward speak it: framing without flow
/// control, many streams on one connection.
@NullMarked
package io.fairlead.agent.spdy;

import org.jspecify.annotations.NullMarked;
