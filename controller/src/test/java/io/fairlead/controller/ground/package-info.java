/// What the endpoint controllers are tested on: an API in memory here, a real server in the room
/// `e2e`, which runs the same vectors.
@org.jspecify.annotations.NullMarked
package io.fairlead.controller.ground;
