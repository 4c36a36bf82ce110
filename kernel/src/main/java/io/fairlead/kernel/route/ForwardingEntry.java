package io.fairlead.kernel.route;

import java.net.InetAddress;

/// To which machine a VXLAN tunnel sends what is meant for a hardware address.
public record ForwardingEntry(int link, HardwareAddress hardware, InetAddress machine) {}
