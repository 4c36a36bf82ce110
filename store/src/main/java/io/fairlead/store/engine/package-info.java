/// What the engines share: [WatchHub] hands commits to watches ([Subscription]), which catch up
/// from [History]; [Deadlines] knows which keys end when.
@NullMarked
package io.fairlead.store.engine;

import org.jspecify.annotations.NullMarked;
