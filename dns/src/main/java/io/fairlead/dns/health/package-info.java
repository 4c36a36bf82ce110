/// Plugin `health`: says that the process lives.
///
/// ```
/// health [ADDRESS] {
///     lameduck DURATION
/// }
/// ```
///
/// `GET /health` answers 200 `OK` while the process runs, `GET /health/detail` says how plugins
/// fare. When it is told to end it goes on answering for the time of `lameduck`, so that clients
/// notice in time. It asks itself every second: the time that takes is a measure of how loaded the
/// process is.
@NullMarked
package io.fairlead.dns.health;

import org.jspecify.annotations.NullMarked;
