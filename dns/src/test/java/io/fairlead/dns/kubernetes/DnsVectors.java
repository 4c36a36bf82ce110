package io.fairlead.dns.kubernetes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The test vectors of the specification, section 5, as far as one question and one answer make
/// them. Notation as there: records of the question's own name and 30 seconds need neither; `>`
/// comes before additional records; `Z` is the cluster's zone.
final class DnsVectors {
  /// How the plugin is set up.
  enum Setup {
    DEFAULT("pods insecure\nfallthrough in-addr.arpa ip6.arpa"),
    NO_FALLTHROUGH("pods insecure"),
    IGNORE_EMPTY("pods insecure\nignore empty_service"),
    POD_NAMES("pods insecure\nendpoint_pod_names"),
    ONLY_QUAY("pods insecure\nnamespaces quay"),
    VERIFIED("pods verified"),
    DISABLED("pods disabled"),
    ZONAL("zonal");

    final String lines;

    Setup(String lines) {
      this.lines = lines;
    }
  }

  /// @param id the vector's number; letters tell apart questions of one vector
  /// @param question `name type`
  /// @param expected `answers / authority > additional`, each separated by commas
  record TestVector(String id, Setup setup, String question, String rcode, String expected) {
    @Override
    public String toString() {
      return id + " " + question + (setup == Setup.DEFAULT ? "" : " " + setup);
    }
  }

  private static final String NONE = "/ SOA(Z)";
  private static final List<TestVector> ALL = new ArrayList<>();

  private DnsVectors() {}

  private static void add(String id, String question, String rcode, String expected) {
    add(id, Setup.DEFAULT, question, rcode, expected);
  }

  private static void add(String id, Setup setup, String question, String rcode, String expected) {
    ALL.add(new TestVector(id, setup, question, rcode, expected));
  }

  /// Several questions with an answer of the same sort.
  private static void each(
      String id, Setup setup, String rcode, String expected, String... questions) {
    char letter = 'a';
    for (String question : questions) {
      add(id + letter++, setup, question, rcode, expected);
    }
  }

  static List<TestVector> all() {
    if (ALL.isEmpty()) {
      clusterAddresses();
      headless();
      externalNames();
      pods();
      apex();
      reverse();
      zones();
    }
    return List.copyOf(ALL);
  }

  private static void clusterAddresses() {
    add("1", "crane.harbor.svc.Z A", "NOERROR", "A 10.96.14.7");
    add("2", "crane.harbor.svc.Z AAAA", "NOERROR", NONE);
    add("3", "winch.harbor.svc.Z A", "NOERROR", "A 10.96.14.8");
    add("4", "winch.harbor.svc.Z AAAA", "NOERROR", "AAAA fd00:96::e8");
    add("5", "buoy.harbor.svc.Z A", "NOERROR", NONE);
    add("6", "buoy.harbor.svc.Z AAAA", "NOERROR", "AAAA fd00:96::b6");
    add("7", "idle.harbor.svc.Z A", "NOERROR", "A 10.96.14.9");
    add("8", Setup.IGNORE_EMPTY, "idle.harbor.svc.Z A", "NXDOMAIN", NONE);
    add("9", "7seas.harbor.svc.Z A", "NOERROR", "A 10.96.14.77");
    String crane = " > crane.harbor.svc.Z: A 10.96.14.7";
    add(
        "10",
        "_web._tcp.crane.harbor.svc.Z SRV",
        "NOERROR",
        "SRV 0 100 80 crane.harbor.svc.Z" + crane);
    add(
        "11",
        "_grpc._tcp.winch.harbor.svc.Z SRV",
        "NOERROR",
        "SRV 0 50 7000 winch.harbor.svc.Z > winch.harbor.svc.Z: A 10.96.14.8,"
            + " winch.harbor.svc.Z: AAAA fd00:96::e8");
    add(
        "12",
        "_tele._udp.buoy.harbor.svc.Z SRV",
        "NOERROR",
        "SRV 0 100 5005 buoy.harbor.svc.Z > buoy.harbor.svc.Z: AAAA fd00:96::b6");
    add(
        "13",
        "crane.harbor.svc.Z SRV",
        "NOERROR",
        "SRV 0 50 80 crane.harbor.svc.Z, SRV 0 50 9090 crane.harbor.svc.Z" + crane);
    add(
        "14",
        "plain.harbor.svc.Z SRV",
        "NOERROR",
        "SRV 0 100 6379 plain.harbor.svc.Z > plain.harbor.svc.Z: A 10.96.14.10");
    add("15", "_x._tcp.plain.harbor.svc.Z SRV", "NXDOMAIN", NONE);
    add("16", "_web._udp.crane.harbor.svc.Z SRV", "NXDOMAIN", NONE);
    add(
        "17",
        "_WEB._TCP.Crane.Harbor.SVC.Z SRV",
        "NOERROR",
        "SRV 0 100 80 crane.harbor.svc.Z" + crane);
    add("18", "CrAnE.hArBoR.sVc.cLuStEr.LoCaL A", "NOERROR", "A 10.96.14.7");
    add(
        "19",
        "web.tcp.crane.harbor.svc.Z SRV",
        "NOERROR",
        "SRV 0 100 80 crane.harbor.svc.Z" + crane);
    add("20", "_web._tcp.crane.harbor.svc.Z A", "NOERROR", "A 10.96.14.7");
    add("21", "_tcp.crane.harbor.svc.Z A", "NOERROR", NONE);
    add("22", "10-244-3-11.crane.harbor.svc.Z A", "NOERROR", "A 10.244.3.11");
    add("23a", Setup.POD_NAMES, "crane-6c5.crane.harbor.svc.Z A", "NOERROR", "A 10.244.3.11");
    add("23b", Setup.POD_NAMES, "10-244-3-11.crane.harbor.svc.Z A", "NXDOMAIN", NONE);
    add("24", "10-244-3-12.crane.harbor.svc.Z A", "NXDOMAIN", NONE);
    add("25", "nosuch.harbor.svc.Z A", "NXDOMAIN", NONE);
    add("26", "crane.ghost.svc.Z A", "NXDOMAIN", NONE);
    add("27", "crane.quay.svc.Z A", "NXDOMAIN", NONE);
    add("28", Setup.ONLY_QUAY, "crane.harbor.svc.Z A", "NXDOMAIN", NONE);
  }

  private static void headless() {
    add("29", "fleet.quay.svc.Z A", "NOERROR", "A 10.244.5.21, A 10.244.5.22, A 10.244.5.23");
    add("30", "fleet.quay.svc.Z AAAA", "NOERROR", "AAAA fd00:244:5::21, AAAA fd00:244:5::23");
    add("31", "fleet-0.fleet.quay.svc.Z A", "NOERROR", "A 10.244.5.21");
    add("32", "fleet-0.fleet.quay.svc.Z AAAA", "NOERROR", "AAAA fd00:244:5::21");
    add("33", "fleet-1.fleet.quay.svc.Z AAAA", "NOERROR", NONE);
    add("34", "fleet-3.fleet.quay.svc.Z A", "NXDOMAIN", NONE);
    add("35", "10-244-5-23.fleet.quay.svc.Z A", "NOERROR", "A 10.244.5.23");
    add("36", "10-244-5-21.fleet.quay.svc.Z A", "NXDOMAIN", NONE);
    add("37", "fd00-244-5--23.fleet.quay.svc.Z AAAA", "NOERROR", "AAAA fd00:244:5::23");
    add(
        "38",
        "_sail._tcp.fleet.quay.svc.Z SRV",
        "NOERROR",
        "SRV 0 20 4100 fleet-0.fleet.quay.svc.Z, SRV 0 20 4100 fleet-1.fleet.quay.svc.Z,"
            + " SRV 0 20 4100 10-244-5-23.fleet.quay.svc.Z,"
            + " SRV 0 20 4100 fd00-244-5--23.fleet.quay.svc.Z"
            + " > fleet-0.fleet.quay.svc.Z: A 10.244.5.21,"
            + " fleet-1.fleet.quay.svc.Z: A 10.244.5.22,"
            + " 10-244-5-23.fleet.quay.svc.Z: A 10.244.5.23,"
            + " fleet-0.fleet.quay.svc.Z: AAAA fd00:244:5::21,"
            + " fd00-244-5--23.fleet.quay.svc.Z: AAAA fd00:244:5::23");
    add(
        "39",
        "fleet-1.fleet.quay.svc.Z SRV",
        "NOERROR",
        "SRV 0 100 4100 fleet-1.fleet.quay.svc.Z > fleet-1.fleet.quay.svc.Z: A 10.244.5.22");
    add("40", "drift-0.drift.quay.svc.Z A", "NOERROR", "A 10.244.6.31");
    each(
        "41",
        Setup.DEFAULT,
        "NXDOMAIN",
        NONE,
        "hollow.quay.svc.Z A",
        "hollow.quay.svc.Z AAAA",
        "hollow.quay.svc.Z SRV",
        "hollow.quay.svc.Z TXT");
    add("42", "mute.quay.svc.Z A", "NOERROR", "A 10.244.6.40");
    add("43", "mute.quay.svc.Z SRV", "NOERROR", NONE);
    add("44", "pair.quay.svc.Z A", "NOERROR", "A 10.244.7.1, A 10.244.7.2");
    add(
        "45",
        "_https._tcp.pair.quay.svc.Z SRV",
        "NOERROR",
        "SRV 0 100 443 10-244-7-2.pair.quay.svc.Z > 10-244-7-2.pair.quay.svc.Z: A 10.244.7.2");
    add("46", "twin-a.twin.quay.svc.Z A", "NOERROR", "A 10.244.7.11, A 10.244.7.12");
    add("47", "*.quay.svc.Z A", "NXDOMAIN", NONE);
    add("48", "any.fleet.quay.svc.Z A", "NXDOMAIN", NONE);
    add("49", "a.b.c.fleet.quay.svc.Z A", "NXDOMAIN", NONE);
  }

  private static void externalNames() {
    String database = "CNAME db.example.net.";
    add("50", "outside.harbor.svc.Z CNAME", "NOERROR", database);
    add(
        "51",
        "outside.harbor.svc.Z A",
        "NOERROR",
        database + ", db.example.net.: @120 A 192.0.2.80");
    add(
        "52",
        "outside.harbor.svc.Z AAAA",
        "NOERROR",
        database + ", db.example.net.: @120 AAAA 2001:db8:80::1");
    add("53", "outside.harbor.svc.Z TXT", "NOERROR", database + " / SOA(example.net.)");
    add("54", "x.outside.harbor.svc.Z CNAME", "NXDOMAIN", NONE);
    add("55", "_a._tcp.outside.harbor.svc.Z SRV", "NXDOMAIN", NONE);
    add(
        "56",
        "alias.harbor.svc.Z A",
        "NOERROR",
        "CNAME crane.harbor.svc.Z, crane.harbor.svc.Z: A 10.96.14.7");
    add("57", "dangling.harbor.svc.Z A", "NXDOMAIN", "CNAME gone.harbor.svc.Z " + NONE);
    add("58", "numeric.harbor.svc.Z A", "NXDOMAIN", NONE);
    add("59", "deadend.harbor.svc.Z A", "NXDOMAIN", "CNAME nope.example.net. / SOA(example.net.)");
    add("60", "selfie.harbor.svc.Z A", "NOERROR", NONE);
    add("61", "ring-a.harbor.svc.Z A", "NOERROR", NONE);
  }

  private static void pods() {
    add("63", "10-244-3-99.harbor.pod.Z A", "NOERROR", "A 10.244.3.99");
    add("64", "10-9-8-7.harbor.pod.Z A", "NOERROR", "A 10.9.8.7");
    add("65", "10-9-8-7.ghost.pod.Z A", "NXDOMAIN", NONE);
    add("66", "10-9-8-7.harbor.pod.Z AAAA", "NOERROR", NONE);
    add("67", "fd00-244-8--8.quay.pod.Z AAAA", "NOERROR", "AAAA fd00:244:8::8");
    each(
        "68",
        Setup.DEFAULT,
        "NXDOMAIN",
        NONE,
        "300-1-1-1.harbor.pod.Z A",
        "010-0-0-1.harbor.pod.Z A",
        "1-2-3.harbor.pod.Z A",
        "blah.harbor.pod.Z A");
    add("69", "x.10-244-3-99.harbor.pod.Z A", "NXDOMAIN", NONE);
    add("70", Setup.VERIFIED, "10-244-3-99.harbor.pod.Z A", "NOERROR", "A 10.244.3.99");
    add("71", Setup.VERIFIED, "10-9-8-7.harbor.pod.Z A", "NXDOMAIN", NONE);
    add("72", Setup.VERIFIED, "10-244-3-99.quay.pod.Z A", "NXDOMAIN", NONE);
    add("73", Setup.VERIFIED, "fd00-244-8--8.quay.pod.Z AAAA", "NOERROR", "AAAA fd00:244:8::8");
    each("74", Setup.DISABLED, "NXDOMAIN", NONE, "10-244-3-99.harbor.pod.Z A", "harbor.pod.Z A");
  }

  private static void apex() {
    each(
        "75",
        Setup.DEFAULT,
        "NOERROR",
        NONE,
        "harbor.svc.Z A",
        "dock.svc.Z A",
        "svc.Z A",
        "pod.Z A");
    add("75e", "ghost.svc.Z A", "NXDOMAIN", NONE);
    add("76", "foo.Z A", "NXDOMAIN", NONE);
    add("77", "Z SOA", "NOERROR", "SOA(Z)");
    each("78", Setup.DEFAULT, "NOERROR", NONE, "Z A", "Z AAAA", "Z SRV", "Z HINFO", "Z TXT");
    String server = "NS kube-dns.kube-system.svc.Z > kube-dns.kube-system.svc.Z: A 10.96.0.10";
    add("79", "Z NS", "NOERROR", server);
    add("81", "ClUsTeR.LoCaL NS", "NOERROR", server);
    add("82", "ns.dns.Z A", "NOERROR", "A 10.96.0.10");
    add("83a", "harbor.svc.Z NS", "NOERROR", NONE);
    add("83b", "foo.Z NS", "NXDOMAIN", NONE);
    add("84", "dns-version.Z TXT", "NOERROR", "@28800 TXT \"1.1.0\"");
    add("85", "dns-version.Z A", "NOERROR", NONE);
    String[] types = {"TXT", "MX", "HTTPS", "ANY", "PTR", "CNAME", "SOA"};
    each(
        "86",
        Setup.DEFAULT,
        "NOERROR",
        NONE,
        Arrays.stream(types).map(type -> "crane.harbor.svc.Z " + type).toArray(String[]::new));
    add("87", "nosuch.harbor.svc.Z SOA", "NXDOMAIN", NONE);
  }

  private static void reverse() {
    add("88", "7.14.96.10.in-addr.arpa PTR", "NOERROR", "PTR crane.harbor.svc.Z");
    add(
        "89",
        "8.e.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.6.9.0.0.0.0.d.f.ip6.arpa PTR",
        "NOERROR",
        "PTR winch.harbor.svc.Z");
    add("90", "11.3.244.10.in-addr.arpa PTR", "NOERROR", "PTR 10-244-3-11.crane.harbor.svc.Z");
    add("91", "21.5.244.10.in-addr.arpa PTR", "NOERROR", "PTR fleet-0.fleet.quay.svc.Z");
    add(
        "92",
        "11.7.244.10.in-addr.arpa PTR",
        "NOERROR",
        "PTR twin-a.twin.quay.svc.Z, PTR twin-a.twin2.quay.svc.Z");
    add("93", "99.3.244.10.in-addr.arpa PTR", "NXDOMAIN", "");
    add(
        "94",
        Setup.NO_FALLTHROUGH,
        "99.3.244.10.in-addr.arpa PTR",
        "NXDOMAIN",
        "/ SOA(in-addr.arpa.)");
    add(
        "95",
        Setup.NO_FALLTHROUGH,
        "crane.harbor.svc.in-addr.arpa A",
        "NXDOMAIN",
        "/ SOA(in-addr.arpa.)");
    add("96a", "crane.harbor.svc.Z PTR", "NOERROR", NONE);
    add("96b", "nosuch.harbor.svc.Z PTR", "NXDOMAIN", NONE);
    each("97", Setup.DEFAULT, "REFUSED", "", "Z AXFR");
    add("Q5", "14.96.10.in-addr.arpa PTR", "NOERROR", "/ SOA(in-addr.arpa.)");
    add("Q5", "15.96.10.in-addr.arpa PTR", "NXDOMAIN", "");
  }

  private static void zones() {
    add("113a", Setup.ZONAL, "us-a.pin._zone.fleet.quay.svc.Z A", "NOERROR", "A 10.244.5.21");
    add("113b", Setup.ZONAL, "us-c.pin._zone.fleet.quay.svc.Z A", "NOERROR", NONE);
    add(
        "113c",
        Setup.ZONAL,
        "us-c.prefer._zone.fleet.quay.svc.Z A",
        "NOERROR",
        "A 10.244.5.21, A 10.244.5.22, A 10.244.5.23");
    add("113d", "us-a.pin._zone.fleet.quay.svc.Z A", "NXDOMAIN", NONE);
  }
}
