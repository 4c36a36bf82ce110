/// What a node shows of itself: its rules, connections, sockets and settings, as documents of
/// `fairlead.dev/v1`. Nothing here changes a rule or writes to the API.
@NullMarked
package io.fairlead.proxy.nodeapi;

import org.jspecify.annotations.NullMarked;
