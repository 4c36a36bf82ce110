/// The HTTP server of the API server, the controllers, the node's server and DNS over HTTPS: Jetty
/// behind plain blocking streams ([HttpServer], [HttpServerExchange]). No other package knows
/// Jetty.
@NullMarked
package io.fairlead.http.server;

import org.jspecify.annotations.NullMarked;
