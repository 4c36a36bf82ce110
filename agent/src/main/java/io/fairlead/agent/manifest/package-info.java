/// Pods that come from files of the node instead of the API, and their mirrors in the API.
@NullMarked
package io.fairlead.agent.manifest;

import org.jspecify.annotations.NullMarked;
