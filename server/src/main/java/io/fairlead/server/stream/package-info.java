/// What runs behind objects: the streams of nodes whose agents are in this process.
@NullMarked
package io.fairlead.server.stream;

import org.jspecify.annotations.NullMarked;
