package io.fairlead.agent.discovery;

import io.fairlead.agent.pod.Pod;
import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Where programs ask for names: the content of a `resolv.conf`.
public record ResolvConfFile(
    List<String> nameservers, List<String> searches, List<String> options) {
  private static final int MOST_NAMESERVERS = 3;
  private static final int MOST_SEARCHES = 32;
  private static final int LONGEST_SEARCH = 2048;

  public ResolvConfFile {
    nameservers = List.copyOf(nameservers);
    searches = List.copyOf(searches);
    options = List.copyOf(options);
  }

  /// A file for a pod, and what had to be left out or replaced to make it.
  ///
  /// @param events reasons and messages, for the pod's events
  public record Formed(ResolvConfFile file, List<Map.Entry<String, String>> events) {
    public Formed {
      events = List.copyOf(events);
    }
  }

  /// Reads a file; of several `search` lines the last counts.
  public static ResolvConfFile parse(String text) {
    List<String> nameservers = new ArrayList<>();
    List<String> searches = List.of();
    List<String> options = List.of();
    for (String line : text.lines().toList()) {
      List<String> words = List.of(line.strip().split("\\s+"));
      List<String> rest = words.subList(1, words.size());
      switch (words.getFirst()) {
        case "nameserver" -> nameservers.addAll(rest.subList(0, Math.min(1, rest.size())));
        case "search" ->
            searches =
                rest.stream()
                    .map(
                        one ->
                            one.length() > 1 && one.endsWith(".")
                                ? one.substring(0, one.length() - 1)
                                : one)
                    .filter(one -> !one.equals("."))
                    .toList();
        case "options" -> options = rest;
        default -> {}
      }
    }
    return new ResolvConfFile(nameservers, searches, options);
  }

  /// The file of a pod.
  ///
  /// @param zone the cluster's domain
  /// @param cluster the addresses of the cluster's DNS
  /// @param node the node's own file
  public static Formed of(Pod pod, String zone, List<String> cluster, ResolvConfFile node) {
    List<Map.Entry<String, String>> events = new ArrayList<>();
    ResolvConfFile base = base(pod, zone, cluster, node, events);
    ResolvConfFile whole = base.with(pod.spec().path("dnsConfig"));
    return new Formed(whole.limited(events), events);
  }

  private static ResolvConfFile base(
      Pod pod,
      String zone,
      List<String> cluster,
      ResolvConfFile node,
      List<Map.Entry<String, String>> events) {
    String policy = Json.textOr(pod.spec(), "ClusterFirst", "dnsPolicy");
    if (policy.equals("None")) {
      return new ResolvConfFile(List.of(), List.of(), List.of());
    }
    boolean first =
        policy.equals("ClusterFirstWithHostNet")
            || (policy.equals("ClusterFirst") && !pod.hostNetwork());
    if (!first) {
      return node;
    }
    if (cluster.isEmpty()) {
      events.add(
          Map.entry(
              "MissingClusterDNS",
              "pod: \""
                  + pod.name()
                  + "_"
                  + pod.namespace()
                  + "("
                  + pod.uid()
                  + ")\". kubelet does not have ClusterDNS IP configured and cannot create Pod"
                  + " using \""
                  + policy
                  + "\" policy. Falling back to \"Default\" policy."));
      return node;
    }
    List<String> searches =
        new ArrayList<>(List.of(pod.namespace() + ".svc." + zone, "svc." + zone, zone));
    searches.addAll(node.searches());
    return new ResolvConfFile(cluster, unique(searches), List.of("ndots:5"));
  }

  private ResolvConfFile with(JsonNode settings) {
    List<String> servers = new ArrayList<>(nameservers);
    settings.path("nameservers").forEach(one -> servers.add(one.asString("")));
    List<String> list = new ArrayList<>(searches);
    settings.path("searches").forEach(one -> list.add(one.asString("")));
    Map<String, String> merged = new LinkedHashMap<>();
    for (String option : options) {
      merged.put(option.split(":", 2)[0], option);
    }
    for (JsonNode option : settings.path("options")) {
      String name = Json.textOr(option, "", "name");
      String value = Json.textOr(option, "", "value");
      merged.put(name, value.isEmpty() ? name : name + ":" + value);
    }
    return new ResolvConfFile(unique(servers), unique(list), List.copyOf(merged.values()));
  }

  private ResolvConfFile limited(List<Map.Entry<String, String>> events) {
    List<String> servers = nameservers.subList(0, Math.min(MOST_NAMESERVERS, nameservers.size()));
    if (servers.size() < nameservers.size()) {
      events.add(
          Map.entry(
              "DNSConfigForming",
              "Nameserver limits were exceeded, some nameservers have been omitted, the applied"
                  + " nameserver line is: "
                  + String.join(" ", servers)));
    }
    List<String> kept = new ArrayList<>();
    int length = 0;
    for (String search : searches) {
      length += search.length() + (kept.isEmpty() ? 0 : 1);
      if (kept.size() == MOST_SEARCHES || length > LONGEST_SEARCH) {
        break;
      }
      kept.add(search);
    }
    if (kept.size() < searches.size()) {
      events.add(
          Map.entry(
              "DNSConfigForming",
              "Search Line limits were exceeded, some search paths have been omitted, the applied"
                  + " search line is: "
                  + String.join(" ", kept)));
    }
    return new ResolvConfFile(servers, kept, options);
  }

  /// The text of the file, in the order the container engines write it.
  public String text() {
    StringBuilder text = new StringBuilder();
    if (!searches.isEmpty()) {
      text.append("search ").append(String.join(" ", searches)).append('\n');
    }
    nameservers.forEach(one -> text.append("nameserver ").append(one).append('\n'));
    if (!options.isEmpty()) {
      text.append("options ").append(String.join(" ", options)).append('\n');
    }
    return text.toString();
  }

  private static List<String> unique(List<String> list) {
    return list.stream().distinct().toList();
  }
}
