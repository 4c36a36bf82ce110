/// The service proxy as a process.
@org.jspecify.annotations.NullMarked
package io.fairlead.e2e.proxy;
