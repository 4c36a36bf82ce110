/// Jobs, CronJobs and autoscalers.
@NullMarked
package io.fairlead.server.resources.batch;

import org.jspecify.annotations.NullMarked;
