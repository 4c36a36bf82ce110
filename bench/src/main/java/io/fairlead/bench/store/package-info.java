/// What the store costs: commits, reopening, against etcd and the bare disk.
@NullMarked
package io.fairlead.bench.store;

import org.jspecify.annotations.NullMarked;
