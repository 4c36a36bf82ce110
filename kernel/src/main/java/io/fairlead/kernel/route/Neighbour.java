package io.fairlead.kernel.route;

import java.net.InetAddress;

/// Where an address of the next machine is found on a link: what ARP would ask for, told once and
/// for good.
public record Neighbour(int link, InetAddress address, HardwareAddress hardware) {}
