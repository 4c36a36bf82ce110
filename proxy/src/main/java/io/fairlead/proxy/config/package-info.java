/// The proxy's configuration: files of kind KubeProxyConfiguration and the flags of kube-proxy.
@NullMarked
package io.fairlead.proxy.config;

import org.jspecify.annotations.NullMarked;
