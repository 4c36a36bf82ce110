/// ConfigMap, Secret, ServiceAccount with its tokens, volumes and their claims, and the limits of a
/// namespace.
@NullMarked
package io.fairlead.server.resources.config;

import org.jspecify.annotations.NullMarked;
