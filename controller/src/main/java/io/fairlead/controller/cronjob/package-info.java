/// Starts Jobs at the times their CronJobs say.
@NullMarked
package io.fairlead.controller.cronjob;

import org.jspecify.annotations.NullMarked;
