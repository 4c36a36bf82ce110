/// What must hold when the proxy is killed, its rules are flushed or the API is away.
@org.jspecify.annotations.NullMarked
package io.fairlead.proxy.faults;
