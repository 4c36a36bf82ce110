/// What is served beside resources: health checks, metrics, version, discovery, OpenAPI and fixed
/// documents.
@NullMarked
package io.fairlead.server.paths;

import org.jspecify.annotations.NullMarked;
