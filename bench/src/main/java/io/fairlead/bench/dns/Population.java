package io.fairlead.bench.dns;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A cluster of a size: so many Services in 100 namespaces, each with so many endpoints.
///
/// @param headless whether the endpoints belong to headless Services
record Population(int services, int endpoints, boolean headless) {
  static final String SERVICES = "/api/v1/services";
  static final String SLICES = "/apis/discovery.k8s.io/v1/endpointslices";
  static final String NAMESPACES = "/api/v1/namespaces";
  static final String PODS = "/api/v1/pods";
  private static final int SPACES = 100;

  Map<String, Supplier<Stream<String>>> state() {
    Map<String, Supplier<Stream<String>>> state = new LinkedHashMap<>();
    state.put(
        NAMESPACES,
        () ->
            IntStream.range(0, SPACES)
                .mapToObj(
                    i -> "{\"metadata\":{\"name\":\"ns" + i + "\",\"resourceVersion\":\"1\"}}"));
    state.put(SERVICES, () -> IntStream.range(0, services).mapToObj(i -> service(i, 1, !headless)));
    state.put(SLICES, () -> IntStream.range(0, services).mapToObj(this::slice));
    state.put(PODS, () -> IntStream.range(0, services * endpoints).mapToObj(this::pod));
    return state;
  }

  /// One for each endpoint.
  private String pod(int number) {
    return "{\"metadata\":{\"name\":\"svc"
        + number / endpoints
        + "-"
        + Integer.toHexString(number)
        + "\",\"namespace\":\"ns"
        + number / endpoints % SPACES
        + "\",\"resourceVersion\":\"1\"},\"status\":{\"phase\":\"Running\",\"podIP\":\""
        + endpoint(number)
        + "\",\"podIPs\":[{\"ip\":\""
        + endpoint(number)
        + "\"}]}}";
  }

  private static String endpoint(int number) {
    return "172." + (16 + (number >> 16)) + "." + (number >> 8 & 255) + "." + (number & 255);
  }

  static String name(int service) {
    return "svc" + service + ".ns" + service % SPACES + ".svc.cluster.local";
  }

  static String address(int service) {
    return "10." + (96 + (service >> 16)) + "." + (service >> 8 & 255) + "." + (service & 255);
  }

  static String service(int i, long version, boolean clusterAddress) {
    String address = clusterAddress ? address(i) : "None";
    return "{\"metadata\":{\"name\":\"svc"
        + i
        + "\",\"namespace\":\"ns"
        + i % SPACES
        + "\",\"resourceVersion\":\""
        + version
        + "\"},\"spec\":{\"type\":\"ClusterIP\",\"clusterIP\":\""
        + address
        + "\",\"clusterIPs\":[\""
        + address
        + "\"],\"ports\":[{\"name\":\"http\",\"protocol\":\"TCP\",\"port\":80}]}}";
  }

  private String slice(int i) {
    String[] addresses =
        IntStream.range(i * endpoints, (i + 1) * endpoints)
            .mapToObj(Population::endpoint)
            .toArray(String[]::new);
    return slice(i, 1, addresses);
  }

  /// The one slice of a Service.
  static String slice(int i, long version, String... addresses) {
    StringBuilder json = new StringBuilder("{\"metadata\":{\"name\":\"svc");
    json.append(i).append("-a\",\"namespace\":\"ns").append(i % SPACES);
    json.append("\",\"resourceVersion\":\"").append(version);
    json.append("\",\"labels\":{\"kubernetes.io/service-name\":\"svc");
    json.append(i).append("\"}},\"addressType\":\"IPv4\",\"endpoints\":[");
    for (int k = 0; k < addresses.length; k++) {
      json.append(k == 0 ? "" : ",").append("{\"addresses\":[\"").append(addresses[k]);
      json.append("\"],\"conditions\":{\"ready\":true}}");
    }
    return json.append("],\"ports\":[{\"name\":\"http\",\"protocol\":\"TCP\",\"port\":8080}]}")
        .toString();
  }
}
