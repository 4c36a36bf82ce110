package io.fairlead.app.node;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.api.net.IpAddress;
import io.fairlead.app.cli.FairleadVersion;
import io.fairlead.proxy.core.AuditReport;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.RelayedChoice;
import io.fairlead.proxy.mode.ProxyModes;
import io.fairlead.proxy.nodeapi.NodeView;
import io.fairlead.proxy.runtime.Proxy;
import io.fairlead.proxy.runtime.WrittenState;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;

/// The proxy of this process as the node API reads it.
///
/// @param drops what the policy component of this node dropped
record ProxyNodeView(Proxy proxy, Supplier<Optional<ArrayNode>> drops) implements NodeView {
  @Override
  public String nodeName() {
    return proxy.nodeName();
  }

  @Override
  public String version() {
    return FairleadVersion.current();
  }

  @Override
  public ProxyMode mode() {
    return proxy.mode();
  }

  @Override
  public ChangeRing changes() {
    return proxy.changes();
  }

  @Override
  public AuditReport audit(ProxyMode mode, Plan plan) {
    return ProxyModes.audit(mode, plan);
  }

  @Override
  public Map<IpAddress.Family, WrittenState> written() {
    return proxy.written();
  }

  @Override
  public Optional<RelayedChoice> relayed(IpAddress client, int clientPort) {
    return proxy.relayed(client, clientPort);
  }

  @Override
  public Optional<ArrayNode> policyDrops() {
    return drops.get();
  }
}
