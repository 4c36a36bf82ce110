/// ConfigMap, Secret, ServiceAccount and the limits of a namespace.
@NullMarked
package io.fairlead.server.resources.config;

import org.jspecify.annotations.NullMarked;
