package io.fairlead.proxy.node;

import io.fairlead.proxy.config.ProxyConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The size of the kernel's table of connections and how long it remembers them, as the
/// configuration says.
public final class ConntrackSettings {
  private static final int MOST = 1_048_576;
  private static final int ENTRIES_PER_BUCKET = 4;
  private static final String PREFIX = "net/netfilter/nf_conntrack_";

  private ConntrackSettings() {}

  /// Sets them. A value of 0 leaves the kernel's own.
  ///
  /// @return names of what could not be set
  public static List<String> apply(
      ProxyConfiguration configuration, SysctlFiles sysctls, int cpus) {
    List<String> failed = new ArrayList<>();
    int perCore = configuration.number("conntrack", "maxPerCore");
    if (perCore > 0) {
      long wanted = Math.max(configuration.number("conntrack", "min"), (long) perCore * cpus);
      int most = (int) Math.min(wanted, MOST);
      set(sysctls, "max", most, failed);
      // A table with longer chains than that is slow to search. One that is larger stays.
      if (sysctls.read(PREFIX + "buckets", Integer.MAX_VALUE) < most / ENTRIES_PER_BUCKET) {
        set(sysctls, "buckets", most / ENTRIES_PER_BUCKET, failed);
      }
    }
    time(configuration, sysctls, "tcpEstablishedTimeout", "tcp_timeout_established", failed);
    time(configuration, sysctls, "tcpCloseWaitTimeout", "tcp_timeout_close_wait", failed);
    time(configuration, sysctls, "udpTimeout", "udp_timeout", failed);
    time(configuration, sysctls, "udpStreamTimeout", "udp_timeout_stream", failed);
    if (configuration.on("conntrack", "tcpBeLiberal")) {
      set(sysctls, "tcp_be_liberal", 1, failed);
    }
    return failed;
  }

  private static void time(
      ProxyConfiguration configuration,
      SysctlFiles sysctls,
      String field,
      String name,
      List<String> failed) {
    Duration time = configuration.time("conntrack", field);
    if (time.isPositive()) {
      set(sysctls, name, (int) time.toSeconds(), failed);
    }
  }

  private static void set(SysctlFiles sysctls, String name, int value, List<String> failed) {
    if (!sysctls.write(PREFIX + name, value)) {
      failed.add(PREFIX + name);
    }
  }
}
