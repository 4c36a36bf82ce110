package io.fairlead.app;

import io.fairlead.app.node.NodeProxy;
import io.fairlead.app.systempod.ProxyStartConfiguration;
import io.fairlead.app.systempod.ReconfigurableProxy;
import io.fairlead.client.Client;
import io.fairlead.proxy.config.ProxyConfiguration;

/// The real proxy of this machine, with its client.
record StandardProxy(NodeProxy proxy, Client client, ProxyStartConfiguration start)
    implements ComponentFactory.Proxy, ReconfigurableProxy {
  @Override
  public String mode() {
    return proxy.startMode() + (start.note().isEmpty() ? "" : ", " + start.note());
  }

  @Override
  public String dump() {
    return proxy.dump();
  }

  @Override
  public ProxyConfiguration configuration() {
    return start.configuration();
  }

  @Override
  public boolean ready() {
    return proxy.isReady();
  }

  @Override
  public String follow(ProxyConfiguration wanted) {
    return proxy.follow(wanted);
  }

  @Override
  public void close() {
    proxy.close();
    client.close();
  }
}
