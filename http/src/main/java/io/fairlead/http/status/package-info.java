/// The small pages a component shows about itself: health, metrics, state. [StatusHttpServer] is
/// the JDK's own server, so that the proxy and DNS start fast and small; [LoopMetrics] and
/// [LoopHealth] report the background loops of the process.
@NullMarked
package io.fairlead.http.status;

import org.jspecify.annotations.NullMarked;
