/// Background work. Every thread of the program is started here: [SupervisedLoop] for what goes on
/// until it is closed, [Tasks] for what runs once. Time and waiting ([Pacer], [Ticker], [Backoff])
/// are parameters, so that tests own them.
@NullMarked
package io.fairlead.work;

import org.jspecify.annotations.NullMarked;
