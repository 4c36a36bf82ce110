/// Volumes: directories whose content comes from the API or lives as long as the pod.
@NullMarked
package io.fairlead.agent.volume;

import org.jspecify.annotations.NullMarked;
