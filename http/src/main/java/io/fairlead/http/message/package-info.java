/// HTTP/1.1 as a client reads it (RFC 9112), on plain blocking streams: one reader of heads and
/// bodies for the API client, the API server's proxy, the streams of a container engine and the
/// commands. It loads no class of a library, because short commands use it.
@NullMarked
package io.fairlead.http.message;

import org.jspecify.annotations.NullMarked;
