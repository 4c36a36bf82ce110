package io.fairlead.dns.testing;

import java.util.stream.IntStream;

/// The cluster that the test vectors of the specification (section 5) are about.
public final class SpecVectorCluster {
  private SpecVectorCluster() {}

  public static DnsTestCluster cluster() {
    DnsTestCluster cluster = new DnsTestCluster();
    cluster.namespace("harbor");
    cluster.namespace("quay");
    cluster.namespace("dock");
    harbor(cluster);
    quay(cluster);
    cluster.service("kube-system/kube-dns", "10.96.0.10", "dns/UDP/53 dns-tcp/TCP/53");
    cluster.slice(
        "kube-system/kube-dns-1",
        "kube-dns",
        "IPv4",
        "dns/UDP/53 dns-tcp/TCP/53",
        "10.244.0.5",
        "10.244.1.5");
    cluster.pod("harbor/solo", "10.244.3.99");
    cluster.pod("quay/dual", "10.244.8.8", "fd00:244:8::8");
    return cluster;
  }

  private static void harbor(DnsTestCluster cluster) {
    cluster.service("harbor/crane", "10.96.14.7", "web/TCP/80 admin/TCP/9090");
    cluster.slice(
        "harbor/crane-1",
        "crane",
        "IPv4",
        "web/TCP/8080 admin/TCP/9091",
        "10.244.3.11 pod=crane-6c5",
        "10.244.4.12");
    cluster.service("harbor/winch", "10.96.14.8 fd00:96::e8", "grpc/TCP/7000");
    cluster.service("harbor/buoy", "fd00:96::b6", "tele/UDP/5005");
    cluster.service("harbor/idle", "10.96.14.9", "web/TCP/80");
    cluster.slice("harbor/idle-1", "idle", "IPv4", "web/TCP/80");
    cluster.service("harbor/plain", "10.96.14.10", "/TCP/6379");
    cluster.service("harbor/7seas", "10.96.14.77", "/TCP/443");
    cluster.externalName("harbor/outside", "db.example.net");
    cluster.externalName("harbor/alias", "crane.harbor.svc.cluster.local");
    cluster.externalName("harbor/dangling", "gone.harbor.svc.cluster.local");
    cluster.externalName("harbor/numeric", "192.0.2.9");
    cluster.externalName("harbor/deadend", "nope.example.net");
    cluster.externalName("harbor/selfie", "selfie.harbor.svc.cluster.local");
    cluster.externalName("harbor/ring-a", "ring-b.harbor.svc.cluster.local");
    cluster.externalName("harbor/ring-b", "ring-a.harbor.svc.cluster.local");
  }

  private static void quay(DnsTestCluster cluster) {
    cluster.service("quay/fleet", "None", "sail/TCP/4000");
    cluster.slice(
        "quay/fleet-v4",
        "fleet",
        "IPv4",
        "sail/TCP/4100",
        "10.244.5.21 host=fleet-0 ready zone=us-a",
        "10.244.5.22 host=fleet-1 ready zone=us-b",
        "10.244.5.23 zone=us-b",
        "10.244.5.24 host=fleet-3 unready zone=us-c");
    cluster.slice(
        "quay/fleet-v6",
        "fleet",
        "IPv6",
        "sail/TCP/4100",
        "fd00:244:5::21 host=fleet-0",
        "fd00:244:5::23");
    cluster.service("quay/drift", "None", "x/TCP/1");
    cluster.slice("quay/drift-1", "drift", "IPv4", "x/TCP/1", "10.244.6.31 host=drift-0 ready");
    cluster.service("quay/hollow", "None", "x/TCP/1");
    cluster.slice("quay/hollow-1", "hollow", "IPv4", "x/TCP/1");
    cluster.service("quay/mute", "None", "");
    cluster.slice("quay/mute-1", "mute", "IPv4", "", "10.244.6.40");
    cluster.service("quay/pair", "None", "http/TCP/80 https/TCP/443");
    cluster.slice("quay/pair-1", "pair", "IPv4", "http/TCP/80", "10.244.7.1");
    cluster.slice("quay/pair-2", "pair", "IPv4", "https/TCP/443", "10.244.7.2");
    cluster.service("quay/twin", "None", "x/TCP/1");
    cluster.slice(
        "quay/twin-1",
        "twin",
        "IPv4",
        "x/TCP/1",
        "10.244.7.11 host=twin-a",
        "10.244.7.12 host=twin-a");
    cluster.service("quay/twin2", "None", "x/TCP/1");
    cluster.slice("quay/twin2-1", "twin2", "IPv4", "x/TCP/1", "10.244.7.11 host=twin-a");
    cluster.service("quay/swarm", "None", "web/TCP/80");
    for (int slice = 0; slice < 4; slice++) {
      int third = slice;
      String[] addresses =
          IntStream.rangeClosed(1, 250)
              .mapToObj(i -> "10.250." + third + "." + i)
              .toArray(String[]::new);
      cluster.slice("quay/swarm-" + slice, "swarm", "IPv4", "web/TCP/80", addresses);
    }
  }
}
