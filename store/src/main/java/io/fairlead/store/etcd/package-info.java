/// The engine for clusters: an existing etcd, shared by any number of servers.
@NullMarked
package io.fairlead.store.etcd;

import org.jspecify.annotations.NullMarked;
