package io.fairlead.kernel.ipvs;

/// One thing to change in the kernel's table.
public sealed interface IpvsChange {

  /// The virtual server it is about.
  VirtualServerAddress endpoint();

  record AddServer(VirtualServer server) implements IpvsChange {
    @Override
    public VirtualServerAddress endpoint() {
      return server.endpoint();
    }

    @Override
    public String toString() {
      return "add virtual server " + server;
    }
  }

  /// Gives a virtual server another scheduler, flags or timeout; connections go on.
  record SetServer(VirtualServer server) implements IpvsChange {
    @Override
    public VirtualServerAddress endpoint() {
      return server.endpoint();
    }

    @Override
    public String toString() {
      return "change virtual server " + server;
    }
  }

  /// Removes a virtual server and its real servers.
  record DeleteServer(VirtualServerAddress endpoint) implements IpvsChange {
    @Override
    public String toString() {
      return "delete virtual server " + endpoint;
    }
  }

  record AddReal(VirtualServer server, RealServer real) implements IpvsChange {
    @Override
    public VirtualServerAddress endpoint() {
      return server.endpoint();
    }

    @Override
    public String toString() {
      return "add real server " + real.place() + " to " + server.endpoint();
    }
  }

  /// Gives a real server another weight.
  record SetReal(VirtualServer server, RealServer real) implements IpvsChange {
    @Override
    public VirtualServerAddress endpoint() {
      return server.endpoint();
    }

    @Override
    public String toString() {
      return "set weight " + real.weight() + " of " + real.place() + " in " + server.endpoint();
    }
  }

  record DeleteReal(VirtualServer server, RealServer real) implements IpvsChange {
    @Override
    public VirtualServerAddress endpoint() {
      return server.endpoint();
    }

    @Override
    public String toString() {
      return "delete real server " + real.place() + " of " + server.endpoint();
    }
  }
}
